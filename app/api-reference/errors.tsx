import { FAILURES, type FailureCode } from "@/server/domain/failure";
import type { Schemas } from "./contract";
import { Fields } from "./fields";
import classes from "./reference.module.css";

const MEANINGS: Readonly<Record<number, string>> = {
  400: "The request could not be read",
  401: "No key, or one that is not in use",
  403: "Not permitted",
  404: "Not there, or not yours",
  409: "It does not fit what is there already",
  410: "It is gone",
  413: "Too large",
  415: "Another media type",
  422: "It was read, and cannot be made",
  429: "Too much at once",
  500: "Something went wrong on our side",
  503: "Not at the moment",
};

/** Sentences for people at a page that would mislead somebody who writes a program. */
const FOR_PROGRAMS: Partial<Record<FailureCode, string>> = {
  unauthenticated: "Send Authorization: Bearer with a key that was not revoked and has not expired.",
  internal: "Send the same request again, with the same key, after a while. Name the requestId when you ask for help.",
};

/** Every code there is, under the status it is answered with, and what to do. */
export function Errors({ schemas }: { readonly schemas: Schemas }) {
  const codes = Object.entries(FAILURES);
  const statuses = [...new Set(codes.map(([, { http }]) => http))].sort((a, b) => a - b);
  return (
    <>
      <p className={classes.words}>
        A refusal is <code>application/problem+json</code> (RFC 9457). Tell refusals apart by <code>code</code>: it
        stays what it is. <code>errors</code> points at each field that needs another look. A packet that failed after
        it was accepted carries one of the same codes in its status.
      </p>
      <Fields schema={{ $ref: "#/components/schemas/Problem" }} schemas={schemas} />
      {statuses.map((status) => (
        <section key={status} aria-labelledby={`status-${status}`} className={classes.statusGroup}>
          <h3 id={`status-${status}`}>
            <span className={classes.status}>{status}</span> {MEANINGS[status] ?? ""}
          </h3>
          <p className={classes.small}>
            {status === 429 || status >= 500
              ? "The same request, with the same key, may be sent again: not sooner than Retry-After says, and each time after a longer wait."
              : "Change something before you send it again, unless the code says to wait."}
          </p>
          <dl className={classes.fields}>
            {codes
              .filter(([, { http }]) => http === status)
              .map(([code, { publicMessage }]) => (
                <div key={code} className={classes.field}>
                  <dt>
                    <code className={classes.name}>{code}</code>
                  </dt>
                  <dd>{Reflect.get(FOR_PROGRAMS, code) ?? publicMessage}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </>
  );
}
