import { nothingHere } from "../../../_web/machine-route";

/** Every address of the contract that is none: a program is told so in the form of all its refusals, never with a page. */
export {
  nothingHere as DELETE,
  nothingHere as GET,
  nothingHere as HEAD,
  nothingHere as OPTIONS,
  nothingHere as PATCH,
  nothingHere as POST,
  nothingHere as PUT,
};
