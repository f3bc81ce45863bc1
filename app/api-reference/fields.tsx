import type { Schema, Schemas } from "./contract";
import { Prose } from "./prose";
import classes from "./reference.module.css";
import { alternativesOf, limitsOf, resolved, typeWords } from "./schema-words";

interface Props {
  readonly schema: Schema;
  readonly schemas: Schemas;
  /** How far inside another: what is deep is folded away until somebody asks for it. */
  readonly depth?: number;
}

const DEPTH_MAX = 8;

/** What a value consists of, field by field; where it can look different ways, one after the other under their names. */
export function Fields({ schema, schemas, depth = 0 }: Props) {
  const own = within(resolved(schema, schemas), schemas);
  const choices = alternativesOf(own);
  if (choices.length > 0) return <Alternatives choices={choices} schemas={schemas} depth={depth} />;
  const properties = Object.entries(own.properties ?? {});
  if (properties.length === 0 || depth > DEPTH_MAX) return null;
  return (
    <dl className={classes.fields}>
      {properties.map(([name, property]) => (
        <Field
          key={name}
          name={name}
          isRequired={own.required?.includes(name) ?? false}
          schema={property}
          schemas={schemas}
          depth={depth}
        />
      ))}
    </dl>
  );
}

interface FieldProps extends Props {
  readonly name: string;
  readonly isRequired: boolean;
}

export function Field({ name, isRequired, schema, schemas, depth = 0 }: FieldProps) {
  const own = resolved(schema, schemas);
  const words = limitsOf(own);
  const example = own.examples?.find((each) => typeof each !== "object");
  return (
    <div className={classes.field}>
      <dt>
        <code className={classes.name}>{name}</code>
        <span className={classes.type}>
          {typeWords(own, schemas)}
          {!isRequired && <span className={classes.optional}>, may be left out</span>}
        </span>
      </dt>
      <dd>
        {own.title !== undefined && !isSameWord(own.title, name) && <strong>{own.title}. </strong>}
        {own.description !== undefined && <Prose>{own.description}</Prose>}
        {own.enum !== undefined && own.enum.length <= 12 && (
          <div className={classes.small}>
            One of{" "}
            {own.enum.map((value, index) => (
              <span key={String(value)}>
                {index > 0 && ", "}
                <code>{String(value)}</code>
              </span>
            ))}
          </div>
        )}
        {words.length > 0 && <div className={classes.small}>{sentence(words.join("; "))}</div>}
        {example !== undefined && (
          <div className={classes.small}>
            For example <code>{String(example)}</code>
          </div>
        )}
        <Inside schema={own} schemas={schemas} depth={depth + 1} name={name} />
      </dd>
    </div>
  );
}

/** The fields of a field. */
function Inside({ schema, schemas, depth = 0, name }: Props & { readonly name: string }) {
  const inner = within(resolved(schema, schemas), schemas);
  const count = Object.keys(inner.properties ?? {}).length;
  if (count === 0 && alternativesOf(inner).every((choice) => !hasFields(choice, schemas))) return null;
  const body = <Fields schema={inner} schemas={schemas} depth={depth} />;
  if (count > 0 && depth === 1) return <div className={classes.inside}>{body}</div>;
  return (
    <details className={classes.more}>
      <summary>
        {count > 0 ? `${count} ${count === 1 ? "field" : "fields"}` : "Ways to write it"} of <code>{name}</code>
      </summary>
      <div className={classes.inside}>{body}</div>
    </details>
  );
}

function Alternatives({
  choices,
  schemas,
  depth,
}: Omit<Props, "schema" | "depth"> & { readonly choices: readonly Schema[]; readonly depth: number }) {
  const shown = choices.map((choice) => resolved(choice, schemas)).filter((choice) => hasFields(choice, schemas));
  const [only] = shown;
  if (shown.length === 1 && only !== undefined) return <Fields schema={only} schemas={schemas} depth={depth} />;
  return (
    <div className={classes.choices}>
      {shown.map((choice, index) => (
        <details key={nameOf(choice, index)} className={classes.choice}>
          <summary>
            {nameOf(choice, index)}
            {choice.description !== undefined && <span className={classes.small}> {choice.description}</span>}
          </summary>
          <Fields schema={choice} schemas={schemas} depth={depth} />
        </details>
      ))}
    </div>
  );
}

/** A list is described by what is in it. */
function within(schema: Schema, schemas: Schemas): Schema {
  return schema.items === undefined ? schema : within(resolved(schema.items, schemas), schemas);
}

function hasFields(schema: Schema, schemas: Schemas): boolean {
  const own = within(resolved(schema, schemas), schemas);
  return Object.keys(own.properties ?? {}).length > 0 || alternativesOf(own).some((each) => hasFields(each, schemas));
}

/** What tells a way apart from the others: its title, or the one field with a value of its own. */
function nameOf(schema: Schema, index: number): string {
  if (schema.title !== undefined) return schema.title;
  const mark = Object.entries(schema.properties ?? {}).find(([, { const: value, enum: values }]) => value ?? values);
  if (mark === undefined) return `Way ${index + 1}`;
  const [name, { const: value, enum: values }] = mark;
  return `${name}: ${values === undefined ? String(value) : values.join(" or ")}`;
}

/** A title that says no more than the name already did is not repeated. */
function isSameWord(title: string, name: string): boolean {
  return title.replaceAll(/[^\p{L}]/gu, "").toLowerCase() === name.toLowerCase();
}

function sentence(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
