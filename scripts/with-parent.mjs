// @ts-check

// Preloaded into every process that must not outlive its parent: the channel to the parent closes when the parent
// ends, even by SIGKILL, and the process then stops as if it had been asked to. Node hands this preload on to the
// processes that such a process forks; those belong to it, and need their channel to stay alive, so they are left alone.
if (process.channel && process.env.BINDERY_PARENT === String(process.ppid)) {
  process.once("disconnect", () => {
    process.kill(process.pid, "SIGTERM");
    // A drain that hangs must not leave an orphan either.
    setTimeout(() => process.kill(process.pid, "SIGKILL"), 20_000).unref();
  });
  process.channel.unref();
}
