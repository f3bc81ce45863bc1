import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type VariantColorsResolver,
} from "@mantine/core";
import { palette } from "./palette";

/** Words on a filled surface follow the scheme, because the surface does: light on the deep shade, dark on the pale one. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  return input.variant === "filled" ? { ...colors, color: "var(--bindery-on-filled)" } : colors;
};

const FONT = "var(--bindery-font), system-ui, sans-serif";

/** Paper and ink, one accent, hairlines, small radii. Every colour that a component shows is named here or in `cssVariables`. */
export const theme = createTheme({
  colors: palette,
  primaryColor: "accent",
  primaryShade: { light: 8, dark: 4 },
  white: "#ffffff",
  black: "#1b1f24",
  variantColorResolver,
  fontFamily: FONT,
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  headings: {
    fontFamily: FONT,
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.75rem", lineHeight: "2.25rem" },
      h2: { fontSize: "1.25rem", lineHeight: "1.75rem" },
      h3: { fontSize: "1rem", lineHeight: "1.5rem" },
    },
  },
  fontSizes: { xs: "0.75rem", sm: "0.875rem", md: "1rem", lg: "1.25rem", xl: "1.75rem" },
  lineHeights: { xs: "1.34", sm: "1.43", md: "1.5", lg: "1.4", xl: "1.29" },
  spacing: { xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.5rem", xl: "2rem" },
  defaultRadius: "sm",
  radius: { xs: "2px", sm: "4px", md: "6px", lg: "8px", xl: "12px" },
  cursorType: "pointer",
  respectReducedMotion: true,
  focusRing: "auto",
  components: {
    Button: { defaultProps: { size: "sm" } },
    // Help stands below its field, so that fields beside each other stay level.
    InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "input", "error", "description"] } },
    Checkbox: { defaultProps: { iconColor: "var(--bindery-on-filled)" } },
    Radio: { defaultProps: { iconColor: "var(--bindery-on-filled)" } },
    Alert: { defaultProps: { variant: "light" } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 200 } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.4 } } },
  },
});

/** Tokens beside Mantine's own, and Mantine's where its default falls below 4.5:1 on our grounds. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#fbfaf7",
    "--mantine-color-dimmed": palette.gray[7],
    "--mantine-color-placeholder": palette.gray[6],
    "--mantine-color-error": palette.problem[8],
    "--mantine-color-anchor": palette.accent[8],
    "--mantine-color-default-border": palette.gray[3],
    "--bindery-on-filled": "#ffffff",
    "--bindery-surface": "#ffffff",
    "--bindery-sunken": palette.gray[0],
    "--bindery-hairline": palette.gray[2],
    "--bindery-field-border": palette.gray[5],
    "--bindery-selected": palette.accent[0],
    "--bindery-desk": palette.gray[2],
  },
  dark: {
    "--mantine-color-body": palette.dark[7],
    "--mantine-color-dimmed": palette.dark[2],
    "--mantine-color-placeholder": palette.dark[2],
    "--mantine-color-error": palette.problem[4],
    "--mantine-color-anchor": palette.accent[4],
    "--mantine-color-default-border": palette.dark[4],
    // Mantine would take the palest shade for words on a tinted ground, in which all four meanings look white.
    "--mantine-color-accent-light-color": palette.accent[4],
    "--mantine-color-caution-light-color": palette.caution[4],
    "--mantine-color-problem-light-color": palette.problem[4],
    "--mantine-color-positive-light-color": palette.positive[4],
    "--bindery-on-filled": palette.dark[9],
    "--bindery-surface": "#1a1d21",
    "--bindery-sunken": palette.dark[8],
    "--bindery-hairline": palette.dark[5],
    "--bindery-field-border": palette.dark[3],
    "--bindery-selected": "#16292b",
    "--bindery-desk": palette.dark[8],
  },
});
