import type { ContractView } from "./contract";
import classes from "./reference.module.css";

/** Everything on this page, at its side; on a narrow screen above it, folded. */
export function Contents({ groups }: Pick<ContractView, "groups">) {
  const list = (
    <ul>
      {groups.map(({ name, calls }) => (
        <li key={name}>
          <a href={`#group-${name}`}>{name}</a>
          <ul>
            {calls.map(({ operationId, summary, method }) => (
              <li key={operationId}>
                <a href={`#${operationId}`}>
                  {summary} <span className={classes.tocMethod}>{method}</span>
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
      <li>
        <a href="#errors">Errors</a>
      </li>
    </ul>
  );
  return (
    <>
      <nav aria-label="Contents" className={classes.side}>
        {list}
      </nav>
      <nav aria-label="Contents" className={classes.folded}>
        <details>
          <summary>Contents</summary>
          {list}
        </details>
      </nav>
    </>
  );
}
