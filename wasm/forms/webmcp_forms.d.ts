/**
 * Puts the forms of a page that the browser offers to agents, `<form toolname tooldescription>`, behind hooks, policies, approvals and the
 * audit log, without a change to them.
 *
 * @packageDocumentation
 */

import type { ApprovalOption, Annotations, Hooks, Scope } from './webmcp.js';

/** What {@link forms} takes. */
export interface FormsOptions {
  /** Where the forms are: the document, as it is unless said otherwise, that of a frame of the same origin, a shadow root, or an element. */
  readonly root?: ParentNode | undefined;
  /** Which forms, as a CSS selector; all of them unless said otherwise. */
  readonly selector?: string | undefined;
  /** The scope whose hooks run around the calls. Of several calls of {@link forms} that are about a form, that of the first. */
  readonly scope?: Scope | undefined;
  /** Hooks of the forms' tools. Their input is an object with the fields that are not empty, by their names. */
  readonly hooks?: Hooks | null | undefined;
  /** Whether a human is asked. One that has sent the form themselves, as it will run, is not asked again: `how` is `'form'` then. */
  readonly approval?: ApprovalOption | readonly ApprovalOption[] | undefined;
  /** How long a call may take, in milliseconds, without the time that a human took to send the form. */
  readonly timeout?: number | undefined;
  /** Hints about the forms, which policies look at; a form has none of its own. */
  readonly annotations?: Annotations | undefined;
  /** How many bytes of JSON the fields may have. */
  readonly maxInputBytes?: number | undefined;
  /** How many bytes a result may have. */
  readonly maxOutputBytes?: number | undefined;
}

/**
 * Has every agent's call of these forms go through the gate, from now on and as long as the function that it returns is not called. Call it
 * before the page's own scripts listen to `submit` on the window.
 *
 * Before hooks see the fields, and what they make of them is written back into the form. A denial keeps the form, and the agent reads why. The
 * page's handlers get an event of their own with `agentInvoked`, `respondWith` and `submitter`; if none of them prevents it, the browser
 * sends the form, and the agent is told so before the page is left. After hooks see what the page has answered. What a human sends without an
 * agent is not touched; on a server, and where the browser makes no tools of forms, nothing happens.
 *
 * A form that several calls are about is behind all of them. Throws a `ConfigurationError` for an option that is unknown or not what it must be.
 */
export declare function forms(options?: FormsOptions): () => void;
