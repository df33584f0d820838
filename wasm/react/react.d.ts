/**
 * Tools and hooks for React 18 and later. These are the types of react.js.
 *
 * @packageDocumentation
 */

import type { ReactElement, ReactNode } from 'react';
import type {
  AgentFunction, HookLists, Hooks, Scope as HookScope, TakesObject, Tool, ToolFunction, ToolOptions, ToolStatus, WebMCPTool,
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
