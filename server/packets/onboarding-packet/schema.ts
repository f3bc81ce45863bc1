import { z } from "zod";
import { count, day, email, line, money, prose, reference, sourceId } from "../fields";

const employee = z
  .strictObject({
    ref: reference().meta({
      title: "Employee number",
      description: "As your HR system knows this person. It names the packet.",
      examples: ["E-10482"],
    }),
    name: line(120).meta({
      title: "Full name",
      description: "As it should stand in the letter.",
      examples: ["Zoë Łukaszewicz"],
    }),
    email: email().meta({
      title: "E-mail address",
      description: "The packet can be downloaded by this person only.",
      examples: ["zoe.lukaszewicz@example.org"],
    }),
    startDate: day().meta({
      title: "First working day",
      description: "The packet is ready by then.",
      examples: ["2027-01-11"],
    }),
    role: line(120).meta({
      title: "Role",
      description: "The job title in the contract.",
      examples: ["Clinical data analyst"],
    }),
    team: line(120).meta({ title: "Team", description: "The team or department.", examples: ["Research operations"] }),
    manager: line(120).meta({
      title: "Manager",
      description: "Who this person reports to.",
      examples: ["Ines Ferreira"],
    }),
    workplace: line(160).meta({
      title: "Workplace",
      description: "Office or site.",
      examples: ["Harbour House, 4th floor"],
    }),
  })
  .meta({ title: "New colleague", description: "The person this packet is for." });

const offer = z
  .strictObject({
    contract: z
      .enum(["permanent", "fixed-term", "apprenticeship"], { error: "Choose a contract." })
      .meta({ title: "Contract", description: "The type of employment.", examples: ["permanent"] }),
    endDate: day()
      .optional()
      .meta({
        title: "Last day",
        description: "Only where the contract is for a fixed term.",
        examples: ["2028-01-10"],
      }),
    salary: money().meta({ title: "Salary", description: "Before tax.", examples: ["48500.00"], widget: "money" }),
    currency: z
      .enum(["EUR", "GBP", "USD", "CHF", "SEK", "NOK", "DKK", "PLN"], { error: "Choose a currency." })
      .meta({ title: "Currency", description: "Currency of the salary.", examples: ["EUR"] }),
    salaryPer: z
      .enum(["year", "month", "hour"], { error: "Choose year, month or hour." })
      .meta({ title: "Salary is per", description: "The time the salary is for.", examples: ["year"] }),
    hoursPerWeek: z
      .number({ error: "Write a number of hours." })
      .min(1, { error: "Write at least 1 hour." })
      .max(60, { error: "Write at most 60 hours." })
      .multipleOf(0.25, { error: "Write quarters of an hour at most." })
      .meta({ title: "Hours per week", description: "Agreed working hours.", examples: [37.5] }),
    holidayDays: count(60).meta({ title: "Holiday", description: "Days of paid leave per year.", examples: [28] }),
    probationMonths: count(12).meta({ title: "Probation", description: "Months; 0 for none.", examples: [6] }),
    noticePeriod: line(80).meta({
      title: "Notice period",
      description: "After probation.",
      examples: ["Two months to the end of a month"],
    }),
    benefits: z
      .array(line(160))
      .max(12, { error: "List at most 12 benefits." })
      .meta({ title: "Benefits", description: "One per line.", examples: [["Travel pass for the city network"]] }),
  })
  .meta({ title: "Offer", description: "What was agreed, in short. The contract itself decides." });

const firstDay = z
  .strictObject({
    arriveAt: z
      .string({ error: "Write a time as 09:30." })
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: "Write a time as 09:30." })
      .meta({ title: "Arrive at", description: "Time of day.", examples: ["09:30"] }),
    askFor: line(120).meta({
      title: "Ask for",
      description: "Who meets the new colleague.",
      examples: ["Tomasz at reception"],
    }),
    bring: z
      .array(line(160))
      .max(12, { error: "List at most 12 things." })
      .meta({ title: "Please bring", description: "One thing per line.", examples: [["Identity card or passport"]] }),
  })
  .meta({ title: "First day", description: "What the letter says about the first morning." });

/** What a revision of an onboarding packet must contain. */
export const OnboardingPacket = z
  .strictObject({
    employee,
    offer,
    firstDay,
    note: prose(2_000)
      .optional()
      .meta({
        title: "Personal note",
        description: "A few sentences for the welcome letter.",
        examples: ["We are looking forward to working with you."],
        widget: "textarea",
      }),
    policies: z
      .array(sourceId())
      .max(40, { error: "Choose at most 40 documents." })
      .meta({
        title: "Policy documents",
        description: "From the library, in the order in which they should be bound.",
        examples: [["lib_code_of_conduct"]],
        widget: "library-policy",
      }),
    signatory: z
      .strictObject({
        name: line(120).meta({
          title: "Name",
          description: "Who signs the welcome letter.",
          examples: ["Marit Solheim"],
        }),
        role: line(120).meta({ title: "Role", description: "Their job title.", examples: ["Head of people"] }),
      })
      .meta({ title: "Signed by", description: "Whose name stands under the letter." }),
  })
  .meta({ title: "Onboarding packet", description: "Welcome letter, offer summary, policies and acknowledgement." });
export type OnboardingPacket = z.infer<typeof OnboardingPacket>;
