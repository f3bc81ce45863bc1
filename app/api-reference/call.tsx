import { FAILURES, isFailureCode } from "@/server/domain/failure";
import type { CallView, Schemas } from "./contract";
import { curlOf } from "./curl";
import { Field, Fields } from "./fields";
import { Prose } from "./prose";
import classes from "./reference.module.css";
import { exampleOf, typeWords } from "./schema-words";
import { Snippet } from "./snippet";

interface Props {
  readonly call: CallView;
  readonly schemas: Schemas;
  readonly baseUrl: string;
}

const PLACES = { path: "In the address", query: "In the query", header: "In the headers" } as const;

/** One call: what it does, what it takes, what it answers, and how it is refused. */
export function Call({ call, schemas, baseUrl }: Props) {
  const { operationId, method, path, summary, description, parameters, requestBody, responses } = call;
  const body = Object.entries(requestBody?.content ?? {})[0];
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const refusals = Object.keys(responses).filter((status) => Number(status) >= 400);
  return (
    <article className={classes.call} aria-labelledby={operationId}>
      <h3 id={operationId} className={classes.callTitle}>
        {summary}
      </h3>
      <p className={classes.address}>
        <span className={classes.method}>{method}</span> <code>{path}</code>
      </p>
      <p className={classes.words}>
        <Prose>{description}</Prose>
      </p>
      {Object.entries(PLACES).map(([place, words]) => {
        const here = parameters.filter((parameter) => parameter.in === place);
        return here.length === 0 ? null : (
          <section key={place} aria-label={`${words}: ${summary}`}>
            <h4>{words}</h4>
            <dl className={classes.fields}>
              {here.map(({ name, required, schema }) => (
                <Field key={name} name={name} isRequired={required} schema={schema} schemas={schemas} />
              ))}
            </dl>
          </section>
        );
      })}
      {body !== undefined && (
        <section aria-label={`What you send: ${summary}`}>
          <h4>What you send</h4>
          <p className={classes.small}>
            <code>{body[0]}</code>, {typeWords(body[1].schema, schemas)}
          </p>
          <Fields schema={body[1].schema} schemas={schemas} />
          {Object.entries(body[1].examples ?? {}).map(([name, example]) => (
            <details key={name} className={classes.more}>
              <summary>Example: {example.summary ?? name}</summary>
              <Snippet label={`Example of ${summary}: ${example.summary ?? name}`} text={pretty(example.value)} />
            </details>
          ))}
        </section>
      )}
      <section aria-label={`What you get: ${summary}`}>
        <h4>What you get</h4>
        {answers.map(([status, { description: meaning, headers, content }]) => {
          const answer = Object.values(content ?? {})[0];
          return (
            <div key={status} className={classes.answer}>
              <p>
                <strong className={classes.status}>{status}</strong> {meaning}
              </p>
              {Object.keys(headers).length > 0 && <p className={classes.part}>In its headers</p>}
              {Object.keys(headers).length > 0 && (
                <dl className={classes.fields}>
                  {Object.entries(headers).map(([name, { description: what, schema }]) => (
                    <Field
                      key={name}
                      name={name}
                      isRequired
                      schema={what === undefined ? schema : { ...schema, description: what }}
                      schemas={schemas}
                    />
                  ))}
                </dl>
              )}
              {answer !== undefined && (
                <>
                  <p className={classes.part}>In its body</p>
                  <Fields schema={answer.schema} schemas={schemas} />
                  <details className={classes.more}>
                    <summary>Example of the answer</summary>
                    <Snippet
                      label={`Answer ${status} of ${summary}`}
                      text={pretty(exampleOf(answer.schema, schemas))}
                    />
                  </details>
                </>
              )}
            </div>
          );
        })}
      </section>
      <section aria-label={`How it is refused: ${summary}`}>
        <h4>How it is refused</h4>
        <ul className={classes.refusals}>
          {refusals.map((status) => (
            <li key={status}>
              <a href={`#status-${status}`}>{status}</a> <Codes text={responses[status]?.description ?? ""} />
            </li>
          ))}
        </ul>
      </section>
      <Snippet label={`Command for ${summary}`} text={curlOf(call, baseUrl)} />
    </article>
  );
}

/** The first few codes that a description names; all stand under the status. */
function Codes({ text }: { readonly text: string }) {
  const codes = text.split("`").filter((part) => isFailureCode(part) && FAILURES[part].http > 0);
  const shown = codes.slice(0, 3);
  return (
    <span className={classes.small}>
      {shown.map((code, index) => (
        <span key={code}>
          {index > 0 && ", "}
          <code>{code}</code>
        </span>
      ))}
      {codes.length > shown.length && ` and ${codes.length - shown.length} more`}
    </span>
  );
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
