import type { CallView } from "./contract";

/** Returns a command that makes the call, with the key from the environment, so that it ends in no history. */
export function curlOf({ method, path, parameters, requestBody }: CallView, baseUrl: string): string {
  const example = (name: string) => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema;
    return String(schema?.examples?.[0] ?? "…");
  };
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => example(name));
  const type = Object.keys(requestBody?.content ?? {})[0];
  const isFile = type === "application/octet-stream";
  const query = parameters.some(({ in: place }) => place === "query")
    ? isFile
      ? "?purpose=pages"
      : "?state=succeeded"
    : "";
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${baseUrl}${address}${query}'`,
    `-H "Authorization: Bearer $BINDERY_API_KEY"`,
    ...parameters
      .filter((parameter) => parameter.required && parameter.in === "header")
      .map(({ name }) => `-H '${name}: ${example(name)}'`),
    ...(type === undefined ? [] : [`-H 'Content-Type: ${type}'`]),
    ...(type === undefined ? [] : [isFile ? "--data-binary @minutes.pdf" : "--data-binary @request.json"]),
  ];
  return lines.join(" \\\n  ");
}
