import type { Transaction } from "@/server/db/client";
import type { Actor, PersonActor, Role } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { newId, type SourceId, type TenantId, type UserId } from "@/server/domain/ids";
import { dayIn } from "@/server/packets/check-payload";
import type { PacketKind, SampleFile } from "@/server/packets/kind";
import { KINDS } from "@/server/packets/registry";
import { type Mark, sampleLogo } from "@/server/packets/sample-logo";
import { hashPassword } from "@/server/services/accounts/password";
import type { Context } from "@/server/services/context";
import { submitPacket } from "@/server/services/packets/submit-packet";
import { receiveUpload } from "@/server/services/sources/receive-upload";

export type Inspect = (sourceId: SourceId) => Promise<void>;

const SEED: Actor = { type: "system", name: "seed" };
const PASSWORD = "bindery-demo";

/** The people of the demonstration, as `npm start` prints them. */
export const SIGN_INS = [
  { who: "School and board admin", email: "admin@northgate.example", password: PASSWORD },
  { who: "HR coordinator", email: "hr@harbour.example", password: PASSWORD },
  { who: "Depot clerk", email: "depot@meridian.example", password: PASSWORD },
  { who: "New hire", email: "zoe.lukaszewicz@example.org", password: PASSWORD },
  { who: "Operator", email: "operator@bindery.example", password: PASSWORD },
] as const;

interface DemoTenant {
  readonly slug: string;
  readonly name: string;
  readonly accent: string;
  readonly mark: Mark;
  readonly timeZone: string;
  readonly people: readonly { readonly email: string; readonly name: string; readonly role: Role }[];
  /** Kinds of which one typical packet is submitted here. */
  readonly samples: readonly string[];
}

const TENANTS: readonly DemoTenant[] = [
  {
    slug: "northgate",
    name: "Northgate Schools Trust",
    accent: "#0f5e63",
    mark: "school",
    timeZone: "Europe/London",
    people: [{ email: "admin@northgate.example", name: "Amara Okafor", role: "admin" }],
    samples: ["monthly-report", "board-book"],
  },
  {
    slug: "harbour",
    name: "Harbour & Lane",
    accent: "#7a3b2e",
    mark: "harbour",
    timeZone: "Europe/Amsterdam",
    people: [
      { email: "hr@harbour.example", name: "Marit Solheim", role: "coordinator" },
      { email: "zoe.lukaszewicz@example.org", name: "Zoë Łukaszewicz", role: "recipient" },
    ],
    samples: ["onboarding-packet"],
  },
  {
    slug: "meridian",
    name: "Meridian Freight",
    accent: "#2f4a7d",
    mark: "freight",
    timeZone: "Europe/Berlin",
    people: [{ email: "depot@meridian.example", name: "Jonas Weber", role: "coordinator" }],
    samples: ["depot-report"],
  },
];

/** Adds what is missing of the demonstration: all of it to an empty database, the rest after an interrupted start, else nothing. */
export async function seedDemo(
  context: Context,
  withInspections: (work: (inspect: Inspect) => Promise<void>) => Promise<void>,
): Promise<void> {
  const missing = await context.db.transact(SEED, (tx) => findMissing(tx));
  if (missing.length === 0) return;
  const passwordHash = await hashPassword(PASSWORD);
  await context.db.transact(SEED, (tx) =>
    addPerson(tx, context, { email: "operator@bindery.example", name: "Ruth Adeyemi", passwordHash, isOperator: true }),
  );
  await withInspections(async (inspect) => {
    for (const tenant of missing) {
      const logo = await sampleLogo(tenant.mark, tenant.accent);
      const actor = await context.db.transact(SEED, (tx) => addTenant(tx, context, tenant, logo, passwordHash));
      await addPolicies(context, actor, inspect);
      for (const kind of KINDS.filter((candidate) => tenant.samples.includes(candidate.name))) {
        await submitSample(context, actor, kind, tenant.timeZone, inspect);
      }
    }
  });
}

/** A tenant is complete once its samples are submitted; only a complete one is left alone. */
async function findMissing(tx: Transaction): Promise<DemoTenant[]> {
  const missing = [];
  for (const tenant of TENANTS) {
    const submitted = await tx.job.findMany({
      where: { tenant: { slug: tenant.slug }, correlationId: { startsWith: "seed-" } },
      select: { kind: true },
    });
    const kinds = new Set(submitted.map((job) => job.kind));
    if (!tenant.samples.every((kind) => kinds.has(kind))) missing.push(tenant);
  }
  return missing;
}

async function addTenant(
  tx: Transaction,
  context: Context,
  tenant: DemoTenant,
  logo: Uint8Array<ArrayBuffer>,
  passwordHash: string,
): Promise<PersonActor> {
  const { slug, name, accent, timeZone } = tenant;
  const createdAt = context.clock.now();
  const created = { id: newId("tenant"), slug, name, accent, logo, timeZone, createdAt };
  const { id } = await tx.tenant.upsert({ where: { slug }, create: created, update: {} });
  const tenantId = id as TenantId;
  let first: UserId | null = null;
  for (const person of tenant.people) {
    const userId = await addPerson(tx, context, { ...person, passwordHash, isOperator: false });
    await tx.membership.upsert({
      where: { tenantId_userId: { tenantId, userId } },
      create: { tenantId, userId, role: person.role, createdAt },
      update: {},
    });
    first ??= userId;
  }
  if (first === null) throw new RangeError("A tenant needs somebody.");
  return actorFor(tenantId, first);
}

function actorFor(tenantId: TenantId, userId: UserId): PersonActor {
  return {
    type: "person",
    userId,
    sessionId: newId("session"),
    tenantId,
    reach: { role: "admin", kinds: [], scopes: [] },
    isOperator: false,
  };
}

async function addPerson(
  tx: Transaction,
  context: Context,
  person: { email: string; name: string; passwordHash: string; isOperator: boolean },
): Promise<UserId> {
  const { email, name, passwordHash, isOperator } = person;
  const created = { id: newId("user"), email, name, passwordHash, isOperator, createdAt: context.clock.now() };
  const { id } = await tx.user.upsert({ where: { email }, create: created, update: {} });
  return id as UserId;
}

const KEPT_UNTIL = new Date("2199-01-01T00:00:00Z");

/** Puts the sample policies into the tenant's library, where they stay. */
async function addPolicies(context: Context, actor: PersonActor, inspect: Inspect): Promise<void> {
  const onboarding = KINDS.find((kind) => kind.name === "onboarding-packet");
  for (const file of onboarding?.samples.typical.files ?? []) {
    if ((await findPolicy(context, actor, file.title)) !== null) continue;
    const sourceId = await upload(context, actor, file, "pages", inspect);
    await context.db.transact(actor, async (tx) => {
      const { tenantId } = actor;
      if (tenantId === null) throw new PacketFailure("not_found");
      await tx.source.update({ where: { id: sourceId }, data: { eraseBy: KEPT_UNTIL } });
      await tx.libraryDocument.create({
        data: {
          id: newId("library"),
          tenantId,
          type: "policy",
          title: file.title,
          sourceId,
          createdAt: context.clock.now(),
        },
      });
    });
  }
}

async function submitSample(
  context: Context,
  actor: PersonActor,
  kind: PacketKind,
  timeZone: string,
  inspect: Inspect,
): Promise<void> {
  const sample = kind.samples.typicalOn(dayIn(timeZone, context.clock.now()));
  const ids = new Map<string, string>();
  for (const file of sample.files) {
    const table = kind.tables[0];
    const isTable = file.mediaType === "text/csv" && table !== undefined;
    const known = await findPolicy(context, actor, file.title);
    const purpose = isTable ? `${kind.name}/${table.name}` : "pages";
    ids.set(file.sourceId, known ?? (await upload(context, actor, file, purpose, inspect)));
  }
  await submitPacket(context, actor, {
    kind: kind.name,
    payload: renamed(sample.payload, ids),
    correlationId: `seed-${kind.name}`,
  });
}

async function findPolicy(context: Context, actor: PersonActor, title: string): Promise<string | null> {
  const tenantId = actor.tenantId ?? "";
  const found = await context.db.transact(actor, (tx) => tx.libraryDocument.findFirst({ where: { tenantId, title } }));
  return found?.id ?? null;
}

async function upload(
  context: Context,
  actor: PersonActor,
  file: SampleFile,
  purpose: string,
  inspect: Inspect,
): Promise<SourceId> {
  const bytes = await file.make();
  const { sourceId } = await receiveUpload(context, actor, {
    bytes: (async function* () {
      yield bytes;
    })(),
    declaredBytes: bytes.byteLength,
    title: file.title,
    purpose,
    correlationId: "seed",
  });
  await inspect(sourceId);
  return sourceId;
}

/** Returns `value` with the samples' placeholder ids replaced by real ones. */
function renamed(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, ids));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renamed(item, ids)]));
}
