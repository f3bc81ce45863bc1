import { describeArchive } from "@/server/ports/archive.contract";
import { DISK } from "./file-calls";
import { FilesystemArchive } from "./filesystem";

describeArchive("The archive in a directory", (directory) => new FilesystemArchive(directory, DISK));
