// @ts-check

/** Mantine's own functions (light-dark, rem) in style sheets. */
export default { plugins: { "postcss-preset-mantine": {} } };
