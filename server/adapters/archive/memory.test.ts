import { describeArchive } from "@/server/ports/archive.contract";
import { MemoryArchive } from "./memory";

describeArchive("The archive in memory", () => new MemoryArchive());
