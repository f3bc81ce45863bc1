"use client";

/** The last resort, where even the frame of the page failed: it needs nothing but itself. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body
        style={{ fontFamily: "system-ui, sans-serif", padding: "3rem 1.5rem", maxWidth: "32rem", margin: "0 auto" }}
      >
        <main>
          <title>Bindery</title>
          <h1 style={{ fontSize: "1.25rem" }}>This page could not be shown</h1>
          <p>Something went wrong on our side. Nothing you submitted is lost.</p>
          <a href="/">Go to the start</a>
        </main>
      </body>
    </html>
  );
}
