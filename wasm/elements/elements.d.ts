/**
 * Four custom elements that show a page what agents do on it. Importing the module defines them; on a server it does
 * nothing.
 *
 * They render into an open shadow root. A page styles them by `::part()` and by custom properties: `--webmcp-ink`,
 * `--webmcp-soft`, `--webmcp-surface`, `--webmcp-well`, `--webmcp-line`, `--webmcp-edge`, `--webmcp-accent`,
 * `--webmcp-on-accent`, `--webmcp-focus`, `--webmcp-before`, `--webmcp-after`, `--webmcp-error`, `--webmcp-denied`,
 * `--webmcp-radius`, `--webmcp-mono`, `--webmcp-log-height`, `--webmcp-card-width`. With the attribute `light` they
 * render into the page itself instead, where its selectors reach `[part~="..."]`. The attribute is read when the
 * element is first connected. Colours follow the page's `color-scheme`.
 *
 * @packageDocumentation
 */

/**
 * `<webmcp-hook-log>` shows the hook events of all tools while it is in the page: one entry for each, newest first, in
 * an element with `role="log"`. An entry has `data-phase`, `data-tool` and `data-invocation`, and shows input, output,
 * error or reason, the rule of a policy that has ended the call, who approved or denied it, and after the function how
 * long it took. What a rule would have done that only reports is an entry, too (`data-phase="report"`).
 *
 * The first one that is connected adds global hooks, which all logs of the page share. They change no call. A log shows
 * inputs as they are before later global hooks, and outputs as they are before later global after hooks: it tells more
 * than the agent gets to know, and belongs where developers look.
 *
 * Attributes: `label` (the accessible name, "Hook log"), `limit` (200), `light`.
 *
 * Parts: `frame`, `log`, `empty`, `entry`, `entry-before`, `entry-after`, `entry-error`, `entry-denied`,
 * `entry-report`, `entry-head`, `phase`, `tool`, `time`, `entry-mark`, `id`, `duration`, `fact`, `fact-name`, `fact-value`.
 */
export class WebMCPHookLog extends HTMLElement {
  /** How many entries are kept; the oldest go first. 200 unless the attribute `limit` is a positive integer. */
  limit: number;

  /** Removes all entries. */
  clear(): void;
}

/**
 * `<webmcp-inspector>` lists the tools of the page, live, by name. Each has its description, schema and status, a text
 * area "Input for <name>" with an example, and a button "Invoke <name>", which calls the tool as an agent does, hooks
 * and approvals included. The result appears in an `output` with `data-error`. Whoever can click it can call the tools.
 * A button "Explain" says what the policy of the page would do to a call with this input now, and every rule that names the
 * tool, with how its conditions stand. It loads the module if need be, and runs and counts nothing.
 *
 * Attribute: `light`.
 *
 * Parts: `empty`, `tools`, `card` (with `data-tool`), `name`, `badges`, `badge`, `status`, `status-registered`,
 * `status-error`, `source`, `read-only`, `consequential`, `title`, `description`, `details`, `summary`, `schema`,
 * `label`, `input`, `problem`, `actions`, `invoke`, `explain`, `pending`, `output`, `output-error`, `explanation`,
 * `outcome`, `outcome-allow`, `outcome-ask`, `outcome-deny`, `refusal`, `no-rules`, `rules`, `rule`, `rule-applies`,
 * `rule-idle`, `rule-head`, `rule-name`, `rule-state`, `rule-effects`.
 */
export class WebMCPInspector extends HTMLElement {}

/**
 * `<webmcp-approvals>` shows the human what agents want, and lets them take back what they have said. It lists, live, the
 * calls that wait for a human, the oldest first: title, tool, sentence and details of the approval, every argument, and
 * how long it has been waiting, or in its last ten seconds how long it still will. Deny takes a reason, which the agent
 * reads. Below are the decisions that are remembered, each with the very rule in words; Revoke forgets those of a tool.
 *
 * Only trusted events decide a question, and Approve works half a second after the list has changed. That keeps scripts
 * and slips out, not an agent that drives the browser by its DevTools. The built-in dialog is modal: while it is open,
 * what is behind it cannot be pressed. So the buttons are for questions that the page asks in its own way, by `ask`.
 *
 * Attribute: `light`.
 *
 * Parts: `heading`, `empty`, `questions`, `card`, `question` (with `data-tool`), `title`, `tool`, `name`, `about`,
 * `sentence`, `details`, `arguments`, `no-arguments`, `argument-name`, `argument`, `value`, `time`, `time-last`, `label`,
 * `reason`, `actions`, `deny`, `approve`, `remembered`, `rules`, `rule` (with `data-tool`), `rule-texts`, `rule-text`
 * (with `data-decision`), `rule-approve`, `rule-deny`, `decision`, `revoke`.
 */
export class WebMCPApprovals extends HTMLElement {}

/**
 * `<webmcp-audit>` shows the audit log of the page, live, the newest call first: the calls that rules of a policy with `audit` have
 * put there. Each is a line with outcome, tool, code, the rule that has ended the call or would have, who has approved it, how long it took
 * and when; the line opens to all of the entry, with input and output as the policy lets them be seen. One can search, choose an outcome,
 * a tool and a code, have it stay as it is (Pause), and save what is found as JSON lines (Download).
 *
 * It adds no hook, and changes no call. Where the browser has no WebMCP, it shows what `webmcp.invokeTool` calls.
 *
 * Attributes: `label` (the accessible name, "Audit log"), `limit` (200), `light`.
 *
 * Parts: `frame`, `bar`, `field`, `field-text`, `field-outcome`, `field-tool`, `field-code`, `label`, `filter`, `choice`, `actions`,
 * `button`, `pause`, `download`, `log`, `empty`, `entries`, `entry` (with `data-outcome`, `data-tool`, `data-code` and
 * `data-invocation`), `entry-ok`, `entry-denied`, `entry-error`, `entry-aborted`, `entry-pending`, `details`, `summary`, `outcome`,
 * `outcome-ok` and the like, `tool`, `about`, `when`, `duration`, `time`, `facts`, `fact-name`, `fact`, `value`, `count`.
 */
export class WebMCPAudit extends HTMLElement {
  /** How many calls are shown, the newest ones. 200 unless the attribute `limit` is a positive integer. */
  limit: number;

  /** Whether it stays as it is, whatever agents do. */
  paused: boolean;
}

/**
 * Returns text whose hidden characters show, as `\u{202e}`: what takes no room, looks like a space, or turns the writing
 * direction. An agent may have been made to send them, so that a person reads another thing than what runs. All elements
 * show texts this way; use it in your own approval dialog too.
 */
export function revealed(text: string): string;

declare global {
  interface HTMLElementTagNameMap {
    'webmcp-hook-log': WebMCPHookLog;
    'webmcp-inspector': WebMCPInspector;
    'webmcp-approvals': WebMCPApprovals;
    'webmcp-audit': WebMCPAudit;
  }
}

/** What any element of typed markup takes: React, Vue and Svelte each spell some of it in their own way. */
export interface MarkupProps {
  id?: string;
  class?: string;
  className?: string;
  style?: any;
  slot?: string;
  hidden?: boolean;
  title?: string;
  lang?: string;
  dir?: string;
  key?: any;
  ref?: any;
  children?: any;
  suppressHydrationWarning?: boolean;
  [name: `data-${string}` | `aria-${string}` | `on${string}` | `v-${string}` | `bind:${string}`]: any;
  /** Renders into the page itself. */
  light?: boolean | '';
}

/** The elements by their names in markup: JSX.IntrinsicElements, Vue's GlobalComponents and Svelte's elements take them from here. */
export interface WebMCPMarkup {
  'webmcp-hook-log': MarkupProps & { label?: string; limit?: number | string };
  'webmcp-inspector': MarkupProps;
  'webmcp-approvals': MarkupProps;
}

/** {@link WebMCPMarkup} as components. */
type WebMCPComponents = { [Name in keyof WebMCPMarkup]: new () => { $props: WebMCPMarkup[Name] } };

// Where one of these is not installed there is nothing to add to.

// @ts-ignore
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends WebMCPMarkup {}
  }
}

// @ts-ignore
declare module 'vue' {
  interface GlobalComponents extends WebMCPComponents {}
}

// @ts-ignore
declare module 'svelte/elements' {
  interface SvelteHTMLElements extends WebMCPMarkup {}
}
