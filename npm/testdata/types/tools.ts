// What webmcp() takes and returns.

import { ConfigurationError, registry, webmcp } from 'webmcp-wasm';
import type { CallContext, Contract, Release, Tool, ToolStatus, WebMCPTool } from 'webmcp-wasm';
import { same } from './expect';
import { checkout, deleteUser } from './shop';

// A tool is its function.

const tool = webmcp(deleteUser, { description: 'Delete a user' });
tool satisfies typeof deleteUser;
const gone: boolean = (await tool({ id: '7' })).gone;
// @ts-expect-error the function needs an id
tool({});
// @ts-expect-error an id is a string
tool({ id: 7 });

const sum = webmcp(({ a, b }: { a: number; b: number }) => a + b, { name: 'sum', description: 'Adds' });
same<ReturnType<typeof sum>, number>(true); // what is synchronous stays so

const identity = webmcp(<T extends { id: string }>(value: T) => value, { name: 'identity', description: 'Returns it' });
const seven: 7 = identity({ id: '7', size: 7 as const }).size; // what is generic stays so

function overloaded(input: { id: string }): string;
function overloaded(input: { key: number }): number;
function overloaded(): string | number {
  return '';
}
const both = webmcp(overloaded, { description: 'Takes both' });
const first: string = both({ id: '' });
const second: number = both({ key: 1 });

const nothing = webmcp(() => 1, { name: 'nothing', description: 'Takes nothing' });
nothing();
const optional = webmcp(({ limit = 5 }: { limit?: number } = {}) => limit, { name: 'optional', description: 'Takes little' });
optional();

// And more.

same<typeof tool.tool, Contract>(true);
same<typeof tool.status, ToolStatus>(true);
same<ReturnType<typeof tool.register>, Promise<Release>>(true);
const release: Release = await tool.register();
await tool.register({ signal: AbortSignal.timeout(1), scope: webmcp.scope() });
release();
tool.unregister();
const registered: boolean = tool.isRegistered() && registry.isRegistered('delete_user');
const name: string = tool.definition.name;
if (tool.status === 'error') throw new ConfigurationError('no such luck', { cause: name });
// @ts-expect-error there is no such status
if (tool.status === 'failed') throw new Error();
// @ts-expect-error a contract is frozen
tool.tool.name = 'other';
// @ts-expect-error the status is the registry's to change
tool.status = 'registered';
// @ts-expect-error a signal, not its controller
tool.register({ signal: new AbortController() });
// @ts-expect-error register takes no hooks: a scope has them
tool.register({ hooks: {} });

// Any tool is a WebMCPTool.

const tools: readonly WebMCPTool[] = [tool, sum, identity, both, nothing, optional];
tools satisfies readonly Tool[];
// @ts-expect-error a function alone is none
const functions: readonly WebMCPTool[] = [deleteUser];

// What an agent's call passes.

webmcp(async ({ id }: { id: string }, { signal, invocationId, metadata }: CallContext) => {
  signal.throwIfAborted();
  return [id, invocationId, metadata.start];
}, { name: 'context', description: 'Uses the context' });
webmcp(({ id }: { id: string }, call?: CallContext) => [id, call?.invocationId], { name: 'optional_context', description: 'Uses it where there is one' });
// @ts-expect-error agents call with one object
webmcp((id: string) => id, { name: 'text', description: 'Takes a string' });
// @ts-expect-error and with a context, which is no boolean
webmcp(({ id }: { id: string }, verbose: boolean) => [id, verbose], { name: 'flag', description: 'Takes a flag' });
// @ts-expect-error nothing but these two
webmcp((a: object, b: object, c: object) => [a, b, c], { name: 'three', description: 'Takes three' });
// @ts-expect-error no function
webmcp({ id: '7' }, { description: 'Is none' });

// Options.

webmcp(deleteUser, {
  name: 'delete_user',
  title: 'Delete a user',
  description: 'Delete a user',
  strict: true,
  maxInputBytes: 1000,
  maxOutputBytes: 1000,
  timeout: 1000,
  annotations: { readOnlyHint: false, untrustedContentHint: false, consequentialHint: true, debugging: false },
  hooks: {},
  enabled: true,
  global: false,
  exposedTo: ['https://agent.example'],
  replace: true,
});
webmcp.global(deleteUser, { description: 'Delete a user' });
webmcp.global(tool);
// @ts-expect-error the description is missing
webmcp(deleteUser, { name: 'delete_user' });
// @ts-expect-error all options are missing
webmcp(deleteUser);
// @ts-expect-error misspelt
webmcp(deleteUser, { descripion: 'Delete a user', description: '' });
// @ts-expect-error misspelt: a hint that does nothing
webmcp(deleteUser, { description: 'Delete a user', annotations: { readonlyHint: true } });
// @ts-expect-error an array
webmcp(deleteUser, { description: 'Delete a user', exposedTo: 'https://agent.example' });

// A tool of a tool.

const careful = webmcp(tool, { hooks: { before: [({ input }) => ({ input })] } });
careful satisfies typeof deleteUser;
careful satisfies WebMCPTool<typeof deleteUser>;
webmcp(tool, { name: 'remove_user', description: 'Remove a user' });
// @ts-expect-error misspelt
webmcp(tool, { hook: {} });
// @ts-expect-error that hook is for other functions
webmcp(tool, { hooks: { before: ({ tool }: { tool: WebMCPTool<typeof checkout> }) => void tool } });
// @ts-expect-error a tool of deleteUser is none of checkout
const other: WebMCPTool<typeof checkout> = tool;

export { gone, seven, first, second, registered, functions, other };
