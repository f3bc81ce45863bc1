import { Title } from "@mantine/core";
import type { Metadata } from "next";
import Link from "next/link";
import { readEnv } from "@/server/env";
import { Brand } from "../_shell/brand";
import { Call } from "./call";
import { Contents } from "./contents";
import { readContract } from "./contract";
import { Errors } from "./errors";
import { Prose } from "./prose";
import classes from "./reference.module.css";

export const metadata: Metadata = { title: "API reference" };

/** The HTTP contract for people who write programs, made from the schemas that validate. Public: it says nothing of anybody. */
export default function ReferencePage() {
  const { baseUrl } = readEnv();
  const { introduction, groups, schemas } = readContract(baseUrl);
  return (
    <>
      <a href="#content" className="bindery-skip">
        Skip to content
      </a>
      <header className={classes.top}>
        <Brand />
        <Link href="/settings/api-keys" className={classes.topLink}>
          API keys
        </Link>
      </header>
      <div className={classes.page}>
        <Contents groups={groups} />
        <main id="content" tabIndex={-1} className={classes.main}>
          <Title order={1}>API reference</Title>
          <p className={classes.words}>
            <Prose>{introduction}</Prose>
          </p>
          <p className={classes.words}>
            Send your key with every request as <code>Authorization: Bearer</code>. An administrator makes one under{" "}
            <Link href="/settings/api-keys">Settings, API keys</Link>. The same contract for tools is at{" "}
            <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).
          </p>
          {groups.map(({ name, description, calls }) => (
            <section key={name} aria-labelledby={`group-${name}`} className={classes.group}>
              <h2 id={`group-${name}`}>{name}</h2>
              <p className={classes.words}>{description}</p>
              {calls.map((call) => (
                <Call key={call.operationId} call={call} schemas={schemas} baseUrl={baseUrl} />
              ))}
            </section>
          ))}
          <section aria-labelledby="errors" className={classes.group}>
            <h2 id="errors">Errors</h2>
            <Errors schemas={schemas} />
          </section>
        </main>
      </div>
    </>
  );
}
