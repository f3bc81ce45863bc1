import { PDFArray, type PDFContext, PDFDict, PDFName, PDFNull, PDFPageLeaf, type PDFRef } from "pdf-lib";
import { type AnnotationCopy, copyAnnotations } from "./copy-annotations";
import type { ObjectCopier } from "./object-copier";
import { copyContents, type IsolatedContents } from "./page-contents";
import { type Box, boxOf, frameOf, type PageFrame } from "./page-frame";
import type { SourcePage } from "./reader/page-tree";

/** A page copied into the new document; `contents` still has to be wrapped together with what is drawn over it. */
export interface CopiedPage {
  readonly ref: PDFRef;
  readonly leaf: PDFPageLeaf;
  readonly resources: PDFDict;
  readonly frame: PageFrame;
  readonly contents: IsolatedContents;
}

/**
 * Copies one page to `ref`: content, resources, geometry, plain annotations and links, and nothing else. What it inherits
 * becomes its own. [C112]
 */
export function copyPage(copy: AnnotationCopy, page: SourcePage, ref: PDFRef, parent: PDFRef): CopiedPage {
  const { file, copier, context } = copy;
  const frame = frameOf(file, page);
  const leaf = PDFPageLeaf.fromMapWithContext(new Map(), context, false);
  leaf.set(PDFName.of("Type"), PDFName.of("Page"));
  leaf.set(PDFName.of("Parent"), parent);
  leaf.set(PDFName.of("MediaBox"), context.obj([...frame.media]));
  if (!sameBox(frame.media, frame.visible)) leaf.set(PDFName.of("CropBox"), context.obj([...frame.visible]));
  if (frame.rotate !== 0) leaf.set(PDFName.of("Rotate"), context.obj(frame.rotate));
  if (frame.userUnit !== 1) leaf.set(PDFName.of("UserUnit"), context.obj(frame.userUnit));
  for (const key of ["TrimBox", "BleedBox", "ArtBox"]) {
    const box = boxOf(file, file.get(page.dict, key));
    if (box !== null) leaf.set(PDFName.of(key), context.obj([...box]));
  }
  const group = page.dict.get("Group");
  const copiedGroup = group === undefined ? PDFNull : copier.copy(group);
  if (copiedGroup !== PDFNull) leaf.set(PDFName.of("Group"), copiedGroup);
  const resources = ownResources(copier, context, page);
  leaf.set(PDFName.of("Resources"), resources);
  const annotations = copyAnnotations(copy, file.get(page.dict, "Annots"), ref);
  if (annotations.size() > 0) leaf.set(PDFName.of("Annots"), annotations);
  context.assign(ref, leaf);
  return { ref, leaf, resources, frame, contents: copyContents(file, copier, context, page.dict.get("Contents")) };
}

/** Resources of this page alone, so that what is stamped on it is not added to every page that shares them. */
function ownResources(copier: ObjectCopier, context: PDFContext, page: SourcePage): PDFDict {
  const copied = context.lookup(copier.copy(page.dict.get("Resources") ?? page.inherited.get("Resources")));
  const own = PDFDict.withContext(context);
  if (copied instanceof PDFDict) for (const [key, value] of copied.entries()) own.set(key, value);
  return own;
}

/** Adds `value` to the resources of a page under a name that nothing else there has, and returns that name. */
export function addResource(page: CopiedPage, category: ResourceCategory, value: PDFRef): string {
  const own = ownCategory(page, category);
  let number = own.entries().length;
  while (own.has(PDFName.of(`Bindery${number}`))) number += 1;
  own.set(PDFName.of(`Bindery${number}`), value);
  return `Bindery${number}`;
}

export type ResourceCategory = "ExtGState" | "Font" | "Properties" | "XObject";

const ownDicts = new WeakSet<PDFDict>();

/** The resources of one category, copied from shared ones when this page first needs its own. */
function ownCategory(page: CopiedPage, category: ResourceCategory): PDFDict {
  const present = page.resources.lookup(PDFName.of(category));
  if (present instanceof PDFDict && ownDicts.has(present)) return present;
  const own = PDFDict.withContext(page.leaf.context);
  if (present instanceof PDFDict) for (const [key, entry] of present.entries()) own.set(key, entry);
  ownDicts.add(own);
  page.resources.set(PDFName.of(category), own);
  return own;
}

function sameBox(a: Box, b: Box): boolean {
  return a.every((value, index) => value === b[index]);
}

/** Sets the pages of a document, in order. One level is enough: readers handle thousands of kids. */
export function setPages(context: PDFContext, tree: PDFRef, pages: readonly PDFRef[]): void {
  const kids = PDFArray.withContext(context);
  for (const page of pages) kids.push(page);
  const dict = context.lookup(tree, PDFDict);
  dict.set(PDFName.of("Kids"), kids);
  dict.set(PDFName.of("Count"), context.obj(pages.length));
}
