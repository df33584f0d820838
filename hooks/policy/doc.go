// Package policy decides what becomes of calls by rules that are data: a document
// in JSON says which tools may be called, how often, with which inputs, whom to
// ask first, and what an agent may not read of an output.
//
// Like package pipeline it is only decisions: no clock, no goroutines, no input or
// output, so that natively and in a page the same code decides. A driver
//
//  1. has a document parsed, once: Parse;
//  2. has a Policy of all documents that there are: New;
//  3. asks for the Plan of a tool when the tool is registered, or the documents
//     have changed: Policy.Plan. What a name and hints can decide is decided then;
//  4. walks a Check with each call: Start before the first hook, Judge behind
//     validation, Redact with the output, End.
//
// What needs no input, such as a rate or a plain denial, Start decides, by integers
// alone: no text of a call is looked at. Judge is there where a condition looks at
// the input, and takes it as the document that the contract check has read.
//
// All rules that are about a call apply at once, and their order means nothing: a
// denial comes before a question, the smallest limit holds, and of an output all is
// redacted that any of them names. So one more rule or document can tighten and
// never loosen. What cannot be decided counts against the call.
//
// Package hooks has the native driver.
package policy
