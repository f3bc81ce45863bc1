import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ownPath } from "@/server/http/own-path";
import { findSession } from "../_web/session";
import { SignInForm } from "./sign-in-form";

export const metadata: Metadata = { title: "Sign in" };

interface Props {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Name and password. Leads back to a page of ours, and to no other. */
export default async function SignInPage({ searchParams }: Props) {
  const { to, error } = await searchParams;
  const destination = ownPath(to);
  if ((await findSession()) !== null && !isDownload(destination)) redirect(destination);
  return (
    <SignInForm
      destination={destination}
      isDownload={isDownload(destination)}
      problem={typeof error === "string" ? error : null}
    />
  );
}

function isDownload(path: string): boolean {
  return path.startsWith("/d/");
}
