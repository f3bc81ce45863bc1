import { dayFromNow, lastMonth } from "./forms";

/** A request as the pages send it once their form is filled in. */
export interface PacketRequest {
  readonly kind: string;
  readonly audience?: string;
  readonly payload: unknown;
}

export function monthlyReport(ref: string, school: string, headline = "A quiet month."): PacketRequest {
  const period = lastMonth();
  const payload = {
    school: { ref, name: school },
    period,
    preparedBy: "Henrik Åkesson",
    headline,
    summary: "Marks are stable.",
    metrics: { enrolmentAtStart: 24, joined: 0, left: 0, enrolment: 24, staff: 3, attendanceTarget: 95 },
    weeks: [{ starting: `${period}-02`, attendance: 94.6 }],
    classes: [{ name: "7A", teacher: "Amélie Durand", pupils: 24, attendance: 95.2, averageMark: 71.4 }],
    subjects: [],
    incidents: [],
  };
  return { kind: "monthly-report", payload };
}

/** The same report with so many classes more than one can look at: long enough in the making to be interrupted. */
export function withClasses({ kind, payload }: PacketRequest, count: number): PacketRequest {
  const { metrics, ...rest } = Object(payload);
  const classes = Array.from({ length: count }, (_, index) => ({
    ...rest.classes[0],
    name: `Class ${index + 1}`,
    pupils: 10,
  }));
  const pupils = 10 * count;
  return {
    kind,
    payload: { ...rest, classes, metrics: { ...metrics, enrolmentAtStart: pupils, enrolment: pupils } },
  };
}

export function onboarding(ref: string, name: string, email: string): PacketRequest {
  const payload = {
    employee: {
      ref,
      name,
      email,
      startDate: dayFromNow(60),
      role: "Clinical data analyst",
      team: "Research operations",
      manager: "Ines Ferreira",
      workplace: "Harbour House",
    },
    offer: {
      contract: "permanent",
      salary: "48500.00",
      currency: "EUR",
      salaryPer: "year",
      hoursPerWeek: 37.5,
      holidayDays: 28,
      probationMonths: 6,
      noticePeriod: "Two months",
      benefits: [],
    },
    firstDay: { arriveAt: "09:30", askFor: "Tomasz at reception", bring: [] },
    policies: [],
    signatory: { name: "Marit Solheim", role: "Head of people" },
  };
  return { kind: "onboarding-packet", payload };
}

export function depotReport(ref: string, depot: string, shipments: unknown = [shipment("SH-1")]): PacketRequest {
  const payload = { depot: { ref, name: depot }, period: lastMonth(), currency: "EUR", preparedBy: "Femke", shipments };
  return { kind: "depot-report", payload };
}

export function shipment(reference: string, customer = "Kowalczyk & Søn") {
  return {
    reference,
    date: `${lastMonth()}-04`,
    customer,
    destination: "Gdańsk, PL",
    pallets: 4,
    weightKg: "1284.5",
    value: "8420.00",
    status: "delivered",
  };
}

export function boardBook(ref: string, title: string, sourceIds: readonly string[]): PacketRequest {
  const sources = sourceIds.map((source, index) => ({ source, title: `Paper ${index + 1}`, closed: false }));
  const meeting = { ref, title, date: dayFromNow(30), place: "Council room" };
  return { kind: "board-book", audience: "board", payload: { meeting, sections: [{ title: "Papers", sources }] } };
}
