import localFont from "next/font/local";

/** Inter from a package, so that no request leaves this origin. */
export const inter = localFont({
  src: [
    { path: "../../node_modules/@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf", weight: "400" },
    { path: "../../node_modules/@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf", weight: "500" },
    { path: "../../node_modules/@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf", weight: "600" },
  ],
  variable: "--bindery-font",
  display: "swap",
});
