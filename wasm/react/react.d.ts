/**
 * Tools and hooks for React 18 and later. These are the types of react.js.
 *
 * @packageDocumentation
 */

import type { ComponentPropsWithoutRef, ReactElement, ReactNode } from 'react';
import type {
  AgentFunction, ApprovalRequest, HookLists, Hooks, Issue, PendingApproval, RememberedApproval, Scope as HookScope, TakesObject, Tool, ToolFunction, ToolOptions, ToolStatus, WebMCPTool,
} from './webmcp.js';

/** What {@link WebMCPProvider} takes. */
export interface WebMCPProviderProps {
  /** Hooks for the tools that are registered inside. They may be written inline: no tool is registered again. */
  hooks?: Hooks | null | undefined;
  children?: ReactNode;
}

/**
 * Gives hooks to the tools that are registered inside it, by {@link Scope} and {@link useWebMCP}. Inside another
 * provider its hooks are added to that one's: before hooks run from the outermost provider inwards, all others
 * outwards.
 */
export declare function WebMCPProvider(props: WebMCPProviderProps): ReactElement;

/** What {@link Scope} takes. */
export interface ScopeProps {
  /** The tools to register. */
  tools?: readonly WebMCPTool[] | undefined;
  children?: ReactNode;
}

/**
 * Registers tools while it is mounted, with the hooks of the providers around it. A tool that another Scope registers
 * too is there once, with the hooks of both.
 */
export declare function Scope(props: ScopeProps): ReactElement | null;

/** What {@link useWebMCP} takes with a function: all that `webmcp` takes, but `global`. */
export type UseWebMCPOptions<F extends ToolFunction = ToolFunction, Input = any> = Omit<ToolOptions<F, Input>, 'global'> & {
  global?: false | undefined;
};

/** What {@link useWebMCP} returns. */
export interface UseWebMCPResult<F extends ToolFunction = ToolFunction> {
  /** Whether the browser has WebMCP. False until the module runs, and on a server. */
  supported: boolean;
  /** Whether the tool can be called now: by agents where `source` is `native`, else by the page's `invokeTool` alone. */
  registered: boolean;
  /** Where it is registered: with the browser, or without WebMCP in the page's registry only; undefined where it is not. */
  source: 'native' | 'registry' | undefined;
  status: ToolStatus;
  /** Why the tool could not be made or registered; undefined where nothing is wrong. */
  error: unknown;
  /** The tool; the function alone where it could not be made into one. Calling it is calling the function. */
  tool: F & Partial<Tool>;
}

/**
 * Registers a tool while the component is mounted, with the hooks of the providers around it. Options make another
 * tool of it, as those of `webmcp(tool, options)` do; hooks and enabled alone do not: they hold for this component.
 */
export declare function useWebMCP<F extends ToolFunction>(
  tool: WebMCPTool<F>,
  options?: Partial<UseWebMCPOptions<F>>,
): UseWebMCPResult<F>;
/**
 * Makes a tool of a function and registers it while the component is mounted, with the hooks of the providers around
 * it. Function, hooks and options may be written inline: a call runs the newest ones, and the tool is registered again
 * only when what agents see of it changes.
 */
export declare function useWebMCP<F extends AgentFunction<Input>, Input = any>(
  fn: F & TakesObject<F, Input>,
  options: UseWebMCPOptions<F, Input>,
): UseWebMCPResult<F>;

/** What {@link useWebMCPHooksContext} returns. */
export interface WebMCPHooksContext {
  /** The hooks of the providers around the component, from the outermost to the innermost. */
  readonly hooks: HookLists;
  /** The scope of the innermost provider, for `tool.register({ scope })`; undefined without a provider. */
  readonly scope: HookScope | undefined;
}

/** Returns the hooks and the scope of the providers around the component. */
export declare function useWebMCPHooksContext(): WebMCPHooksContext;

// ------------------------------------------------------------------ approvals

/** What a decision is remembered for. What the approval does not offer is not remembered. */
export interface RememberOptions {
  remember?: 'call' | 'arguments' | 'tool' | undefined;
}

/** What {@link useApprovals} returns. The functions are always the same ones. */
export interface UseApprovalsResult {
  /** The questions that nobody has decided, the oldest first. */
  readonly pending: readonly PendingApproval[];
  /** The decisions that are remembered, the oldest first. */
  readonly remembered: readonly RememberedApproval[];
  /**
   * Approves a question, by its id. False: it is not open any more, and the decision counts for nothing. For one that has to be
   * verified a promise: false is also that this has failed, and the question is open still.
   */
  readonly approve: {
    (id: string, options?: RememberOptions): boolean | Promise<boolean>;
    /**
     * Approves with another input, where the question has `edit`. Resolves to whether that counts; or to what is wrong with
     * the input, while the question stays open.
     */
    (id: string, options: { readonly input: unknown }): Promise<boolean | Issue[]>;
  };
  /** Denies a question; the agent reads the reason. */
  readonly deny: (id: string, reason?: string, options?: RememberOptions) => boolean;
  /** Forgets what is remembered for a tool, by name; without one, all of it. */
  readonly forget: (tool?: string) => void;
}

/**
 * Returns what waits for a human and what is remembered, in frozen lists; the component renders again when that changes. What has not
 * changed is the same object. On a server, and before anything was asked, both lists are empty.
 */
export declare function useApprovals(): UseApprovalsResult;

/**
 * For the option `ask` of an approval: has the mounted {@link ApprovalDialog} ask, in place of the built-in dialog. Where
 * none is mounted when a call comes, nobody can be asked, and the call ends with the code `APPROVAL_UNAVAILABLE`.
 */
export declare function askInDialog(request: Pick<ApprovalRequest, 'id' | 'signal'>): Promise<{
  decision: 'approve' | 'deny';
  reason?: string | undefined;
  remember?: RememberOptions['remember'];
}>;

/** What the children of {@link ApprovalDialog} get, if they are a function. */
export interface ApprovalDialogState {
  readonly question: PendingApproval;
  /** How many questions wait behind this one. */
  readonly waiting: number;
  /** Whether the human is asked to prove that they are there, or has not done so, where the approval has `verify`. */
  readonly verification: 'asked' | 'failed' | undefined;
  /** Whether {@link ApproveButton} works: the human had the time to see what it is about. */
  readonly armed: boolean;
  /** What is wrong with the input that the human has approved with last. */
  readonly issues: readonly Issue[];
  /**
   * Approves, whoever calls it: look at `event.isTrusted`, or take {@link ApproveButton}, which does. With an input, that
   * runs, if it is valid: else `issues` says why, and the question stays open.
   */
  readonly approve: (options?: RememberOptions & { readonly input?: unknown }) => void;
  /** Denies. Without a reason it is that of {@link ApprovalReason}. */
  readonly deny: (reason?: string, options?: RememberOptions) => void;
}

/** What {@link ApprovalDialog} takes, besides what a `<dialog>` takes. */
export interface ApprovalDialogProps extends Omit<ComponentPropsWithoutRef<'dialog'>, 'children' | 'open' | 'onCancel' | 'onClose'> {
  /**
   * The question to ask, of `pending`. Without this prop it is the oldest that came by {@link askInDialog}. Only questions
   * whose approval has an `ask` may be given: the built-in dialog asks the others, and what covers it ends them.
   */
  question?: PendingApproval | undefined;
  /** After how many milliseconds {@link ApproveButton} works; 500 unless set. */
  armDelay?: number | undefined;
  /** The parts, or a function that returns them. Without children, all of them. */
  children?: ReactNode | ((state: ApprovalDialogState) => ReactNode);
}

/**
 * Asks the human, one question at a time, in a modal `<dialog>` without style. Renders nothing while there is no question.
 * Mount it once, where it stays. The focus starts on {@link DenyButton}, Escape denies, and nothing of one question is left
 * in the next. Unmounted while it asks, it leaves the question open: the next one that is mounted asks it.
 */
export declare function ApprovalDialog(props: ApprovalDialogProps): ReactElement | null;

/** An `<h2>`: the title of the approval, or a general one. Texts show hidden characters, as `\u{202e}`. */
export declare function ApprovalTitle(props: ComponentPropsWithoutRef<'h2'>): ReactElement | null;
/** A `<p>`: the tool, by its title and name. */
export declare function ApprovalTool(props: ComponentPropsWithoutRef<'p'>): ReactElement | null;
/** A `<p>`: what `describe` of the approval has said; nothing without. */
export declare function ApprovalSentence(props: ComponentPropsWithoutRef<'p'>): ReactElement | null;
/**
 * A `<textarea>` with the arguments as JSON, where the approval has `edit`, and behind it a `<ul>` of what is wrong with
 * what was typed; nothing without. {@link ApproveButton} approves what stands there.
 */
export declare function ApprovalEditor(props: Omit<ComponentPropsWithoutRef<'textarea'>, 'children' | 'value' | 'defaultValue'>): ReactNode;
/** A `<p>`: what `details` of the approval has said; nothing without. */
export declare function ApprovalDetails(props: ComponentPropsWithoutRef<'p'>): ReactElement | null;
/** A `<dl>`: every argument by its name and, as JSON, its value. */
export declare function ApprovalArguments(props: Omit<ComponentPropsWithoutRef<'dl'>, 'children'>): ReactElement;
/** A `<p role="alert">`: that the human has to prove that they are there, where the approval has `verify`, and whether that has failed. */
export declare function ApprovalVerification(props: ComponentPropsWithoutRef<'p'>): ReactElement | null;
/** A `<p role="status">`: how many questions wait behind this one; nothing if none does. */
export declare function ApprovalWaiting(props: ComponentPropsWithoutRef<'p'>): ReactElement | null;
/** A `<p>`: how long the question has been waiting; in its last ten seconds, then with `data-last`, how long it will. */
export declare function ApprovalTime(props: Omit<ComponentPropsWithoutRef<'p'>, 'children'>): ReactElement;
/** An `<input>` for the reason of a denial, which the agent reads. Its label is "Reason for denying" unless `aria-label` says otherwise. */
export declare function ApprovalReason(props: Omit<ComponentPropsWithoutRef<'input'>, 'children'>): ReactElement;

/** What {@link DenyButton} and {@link ApproveButton} take, besides what a `<button>` takes. `event.preventDefault()` in `onClick` keeps them from deciding. */
export type DecisionButtonProps = ComponentPropsWithoutRef<'button'> & RememberOptions;

/** A `<button>` that denies, by trusted events alone. */
export declare function DenyButton(props: DecisionButtonProps): ReactElement;
/** A `<button>` that approves, by trusted events alone. It has `aria-disabled` until it works. */
export declare function ApproveButton(props: DecisionButtonProps): ReactElement;
