import { addDays, weekdayOf } from "../calendar";
import type { KindSamples, Sample, SampleFile } from "../kind";
import { handbook, POLICIES } from "./sample-policies";
import type { OnboardingPacket } from "./schema";

const TODAY = "2026-12-01";

function typicalOn(today: string): Sample<OnboardingPacket> {
  const files = [...POLICIES];
  return { payload: payloadOn(today, files), today, files };
}

function largestOn(today: string): Sample<OnboardingPacket> {
  const more = Array.from({ length: 9 }, (_, index) => handbook(index + 1));
  const files = [...POLICIES, ...more];
  const typical = payloadOn(today, files);
  return {
    payload: {
      ...typical,
      employee: {
        ...typical.employee,
        ref: "E-10483",
        name: "Wilhelmína Brzęczyszczykiewicz-Ólafsdóttir von Weißenfels",
        email: "wilhelmina.brzeczyszczykiewicz-olafsdottir.von-weissenfels@correspondence.example.org",
        role: "Principal programme coordinator for cross-border laboratory accreditation",
      },
      offer: {
        ...typical.offer,
        contract: "fixed-term",
        endDate: addDays(typical.employee.startDate, 729),
        benefits: BENEFITS,
      },
      firstDay: {
        ...typical.firstDay,
        bring: [...typical.firstDay.bring, "Proof of address", "Two photographs", "Vaccination record"],
      },
      note: [NOTE, ...MORE_NOTES].join("\n\n"),
    },
    today,
    files,
  };
}

function payloadOn(today: string, files: readonly SampleFile[]): OnboardingPacket {
  return {
    employee: {
      ref: "E-10482",
      name: "Zoë Łukaszewicz",
      email: "zoe.lukaszewicz@example.org",
      startDate: mondayAfter(addDays(today, 35)),
      role: "Clinical data analyst",
      team: "Research operations",
      manager: "Inês Ferreira",
      workplace: "Harbour House, 4th floor",
    },
    offer: {
      contract: "permanent",
      salary: "48500.00",
      currency: "EUR",
      salaryPer: "year",
      hoursPerWeek: 37.5,
      holidayDays: 28,
      probationMonths: 6,
      noticePeriod: "Two months to the end of a month",
      benefits: BENEFITS.slice(0, 4),
    },
    firstDay: {
      arriveAt: "09:30",
      askFor: "Tomasz Górski at reception",
      bring: ["Identity card or passport", "Your signed acknowledgement page", "Bank details for your salary"],
    },
    note: NOTE,
    policies: files.map((file) => file.sourceId),
    signatory: { name: "Marit Solheim", role: "Head of people" },
  };
}

const NOTE =
  "Your desk is on the fourth floor, next to the window with the view of the old crane. In your first week you will meet every team you will work with; nobody expects you to remember all the names. If anything in this packet is unclear, write to us before you sign it.";

const MORE_NOTES = [
  "Accreditation visits are planned for the first two weeks of March, in Lisbon and in Gdańsk. You will travel with Inês for the first of them and on your own for the second; tickets and hotels are booked by the travel desk once you have signed the travel policy.",
  "The laboratory runs two systems side by side until summer. You need not learn the old one: whoever asks you to use it should be told that it is read-only from February.",
  "Your contract ends after two years because the programme does. We begin to talk about what comes next a year before that, and not in the last weeks.",
  "Write to any of us at any time. We would rather answer a question twice than have you wait with it.",
];

const BENEFITS = [
  "Travel pass for the city network",
  "Employer's contribution of 6 % to the pension scheme",
  "Five days of paid training each year",
  "Meal allowance on working days",
  "Bicycle lease",
  "Private accident insurance",
  "Language course of your choice, two hours a week in working time",
  "Relocation allowance for the first three months",
  "Eye test and glasses for screen work",
  "Two days a year for voluntary work",
  "Childcare place near the office, where one is free",
  "Interest-free loan for a rail card",
];

function mondayAfter(day: string): string {
  return addDays(day, (8 - weekdayOf(day)) % 7);
}

/** Synthetic people. */
export const samples: KindSamples<OnboardingPacket> = {
  typical: typicalOn(TODAY),
  typicalOn,
  largest: largestOn(TODAY),
  invalid: {
    payload: {
      ...typicalOn(TODAY).payload,
      employee: { ...typicalOn(TODAY).payload.employee, startDate: "2026-11-02" },
    },
    code: "start_date_passed",
  },
};
