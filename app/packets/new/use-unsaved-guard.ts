"use client";

import { modals } from "@mantine/modals";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Asks before a page with unsent work is left: by a link of ours, by closing the tab or by reloading. */
export function useUnsavedGuard(isDirty: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!isDirty) return;
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const href = ownLinkOf(event);
      if (href === null) return;
      event.preventDefault();
      event.stopPropagation();
      modals.openConfirmModal({
        title: "Leave without submitting?",
        children: "What you have entered here will be lost.",
        labels: { confirm: "Leave", cancel: "Stay here" },
        confirmProps: { color: "problem" },
        onConfirm: () => router.push(href),
      });
    };
    window.addEventListener("beforeunload", beforeUnload);
    document.addEventListener("click", onClick, { capture: true });
    return () => {
      window.removeEventListener("beforeunload", beforeUnload);
      document.removeEventListener("click", onClick, { capture: true });
    };
  }, [isDirty, router]);
}

/** Returns where a click would lead within this site, or null where it stays here or opens elsewhere. */
function ownLinkOf(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.target === "_blank" || link.origin !== window.location.origin) return null;
  const isHere = link.pathname === window.location.pathname && link.search === window.location.search;
  return isHere ? null : link.pathname + link.search;
}
