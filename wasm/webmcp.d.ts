/**
 * Turns functions of a page into tools that AI agents in the browser may call (WebMCP), with hooks around every
 * such call. These are the types of webmcp.js and, in a page that loads the module by a plain script, of
 * `globalThis.webmcp`.
 *
 * @packageDocumentation
 */

// ------------------------------------------------------------------ functions

/** The function of a tool, whatever it takes and returns. {@link ToolMaker} says what an agent's call passes. */
export type ToolFunction = (...args: any[]) => unknown;

/** What `F` takes from an agent: its first parameter. For a function without one, whatever the agent sends. */
export type ToolInput<F extends ToolFunction = ToolFunction> = Parameters<F> extends []
  ? Record<string, unknown>
  : Exclude<Parameters<F>[0], undefined>;

/** What `F` returns, or resolves to. */
export type ToolOutput<F extends ToolFunction = ToolFunction> = Awaited<ReturnType<F>>;

/**
 * The input before the schema has checked it: an object in which every member may be missing, or be anything. Look
 * before you trust it (`typeof input.quantity === 'number'`).
 */
export type UncheckedInput<F extends ToolFunction = ToolFunction> = {
  [K in keyof ToolInput<F> & string]?: unknown;
} & { [member: string]: unknown; action?: unknown }; // so that a hook that returns it without {input: ...} is an error

/** The second argument of the function when an agent calls. */
export interface CallContext {
  /** Aborts when the agent cancels. A running function is waited for all the same. */
  readonly signal: AbortSignal;
  /** The id of the call; all its hooks see the same. */
  readonly invocationId: string;
  /** The bag that the hooks of this call share. */
  readonly metadata: Metadata;
}

/** An object without prototype, one for each call, that its hooks and the function share and may write to. */
export type Metadata = Record<string, any>;

// -------------------------------------------------------------------- schemas

/** A type that JSON Schema knows. */
export type JSONSchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/**
 * A JSON Schema of 2020-12, or in the spelling of draft-07. All its keywords are enforced; one that can not be, or is
 * misspelt, is an error. An annotation of your own begins with `x-`.
 */
export type JSONSchema = JSONSchemaKeywords | AnnotatedJSONSchema;

/** {@link JSONSchema} with annotations of your own. */
export interface AnnotatedJSONSchema extends JSONSchemaKeywords {
  [annotation: `x-${string}`]: unknown;
}

/** The keywords of a {@link JSONSchema}. */
export interface JSONSchemaKeywords {
  type?: JSONSchemaType | (string & {}) | readonly (JSONSchemaType | (string & {}))[] | undefined;
  const?: unknown;
  enum?: readonly unknown[] | undefined;
  allOf?: readonly JSONSchemaOrBoolean[] | undefined;
  anyOf?: readonly JSONSchemaOrBoolean[] | undefined;
  oneOf?: readonly JSONSchemaOrBoolean[] | undefined;
  not?: JSONSchemaOrBoolean | undefined;
  if?: JSONSchemaOrBoolean | undefined;
  then?: JSONSchemaOrBoolean | undefined;
  else?: JSONSchemaOrBoolean | undefined;

  minLength?: number | undefined;
  maxLength?: number | undefined;
  /**
   * A regular expression, as the browser's RegExp has them. An input with a text on which it gives up is invalid; beside
   * `maxLength`, longer texts do not get there.
   */
  pattern?: string | undefined;
  /** Enforced where it is one that JSON Schema defines, such as `email`, or `int32`, `int64` or `float`. Others get a warning. */
  format?: string | undefined;

  minimum?: number | undefined;
  maximum?: number | undefined;
  /** A number. Booleans, as draft-04 had them, are refused; they are here for the sake of others' types. */
  exclusiveMinimum?: number | boolean | undefined;
  /** A number; see `exclusiveMinimum`. */
  exclusiveMaximum?: number | boolean | undefined;
  multipleOf?: number | undefined;

  items?: JSONSchemaOrBoolean | readonly JSONSchemaOrBoolean[] | undefined;
  prefixItems?: readonly JSONSchemaOrBoolean[] | undefined;
  additionalItems?: JSONSchemaOrBoolean | undefined;
  unevaluatedItems?: JSONSchemaOrBoolean | undefined;
  contains?: JSONSchemaOrBoolean | undefined;
  minContains?: number | undefined;
  maxContains?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  uniqueItems?: boolean | undefined;

  properties?: { readonly [name: string]: JSONSchemaOrBoolean } | undefined;
  required?: readonly string[] | undefined;
  patternProperties?: { readonly [pattern: string]: JSONSchemaOrBoolean } | undefined;
  additionalProperties?: JSONSchemaOrBoolean | undefined;
  unevaluatedProperties?: JSONSchemaOrBoolean | undefined;
  propertyNames?: JSONSchemaOrBoolean | undefined;
  minProperties?: number | undefined;
  maxProperties?: number | undefined;
  dependentRequired?: { readonly [name: string]: readonly string[] } | undefined;
  dependentSchemas?: { readonly [name: string]: JSONSchemaOrBoolean } | undefined;
  dependencies?: { readonly [name: string]: JSONSchemaOrBoolean | readonly string[] } | undefined;

  /** A reference within the schema: `#/$defs/name` or `#anchor`. Nothing is fetched. */
  $ref?: string | undefined;
  $defs?: { readonly [name: string]: JSONSchemaOrBoolean } | undefined;
  definitions?: { readonly [name: string]: JSONSchemaOrBoolean } | undefined;
  $id?: string | undefined;
  $anchor?: string | undefined;
  $dynamicAnchor?: string | undefined;
  $schema?: string | undefined;
  $vocabulary?: { readonly [uri: string]: boolean } | undefined;
  $comment?: string | undefined;
  id?: string | undefined;

  title?: string | undefined;
  description?: string | undefined;
  /** Filled in where the member is missing. */
  default?: unknown;
  examples?: unknown;
  example?: unknown;
  deprecated?: boolean | undefined;
  readOnly?: boolean | undefined;
  writeOnly?: boolean | undefined;
  contentMediaType?: string | undefined;
  contentEncoding?: string | undefined;
  contentSchema?: JSONSchemaOrBoolean | undefined;
  externalDocs?: unknown;
  xml?: unknown;
  /** A text is what an agent reads of a value that is not valid. */
  errorMessage?: unknown;
  markdownDescription?: string | undefined;
  enumNames?: readonly unknown[] | undefined;
  enumDescriptions?: readonly unknown[] | undefined;

  /** A JSON Schema is not a Standard Schema. */
  '~standard'?: undefined;
}

/** A JSON Schema, or `true` for anything and `false` for nothing. */
export type JSONSchemaOrBoolean = JSONSchema | boolean;

/**
 * A schema of zod, valibot, arktype and others, in the form that https://standardschema.dev defines. Agents see its
 * JSON Schema where the library gives one, without what that cannot say; the function gets the value that it makes of the input.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a Standard Schema makes of a value. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** Why a value does not match a Standard Schema. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

// ---------------------------------------------------------------------- tools

/** What the browser and agents know of a tool. It is frozen. */
export interface Contract {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JSONSchema;
  readonly outputSchema?: JSONSchema;
  readonly annotations: Annotations;
}

/** Hints for agents and the browser. */
export interface Annotations {
  /** The tool changes nothing. */
  readonly readOnlyHint?: boolean | undefined;
  /** The output holds text that the page does not vouch for. */
  readonly untrustedContentHint?: boolean | undefined;
  /** The tool does something that cannot easily be undone, such as an order. */
  readonly consequentialHint?: boolean | undefined;
  /** The tool is for debugging. */
  readonly debugging?: boolean | undefined;
}

/**
 * What a tool is at present: `idle` before it is registered and after; `registering` until the module and the
 * browser have answered; `error` when they refused; `disabled` with the option `enabled: false`.
 */
export type ToolStatus = 'idle' | 'registering' | 'registered' | 'error' | 'disabled';

/** Ends one registration. Calling it again does nothing. */
export type Release = () => void;

/** What {@link Tool.register} takes. */
export interface RegisterOptions {
  /** Ends this registration when it aborts. Aborted before the tool is registered, `register` rejects with its reason. */
  signal?: AbortSignal | undefined;
  /** The scope whose hooks run around calls of this registration, with those of its parents. */
  scope?: Scope | null | undefined;
  /**
   * Where the tool is registered instead of with the browser, for agents of your own: what it gets to call, `execute`, is the agent's
   * path. As long as the tool is registered there, registering it once more does not ask again.
   */
  context?: ModelContextLike | undefined;
}

/** What takes tools, as `document.modelContext` does. */
export interface ModelContextLike {
  /** Takes a tool until the signal aborts. `execute` never rejects; `client` may have the signal of the call. */
  registerTool(
    tool: Contract & { execute(input: unknown, client?: { readonly signal?: AbortSignal | undefined }): Promise<ToolResult> },
    options: { readonly signal: AbortSignal },
  ): PromiseLike<unknown>;
}

/** What a tool has besides being callable. */
export interface Tool {
  /** The contract. */
  readonly tool: Contract;
  /** The contract. */
  readonly definition: Contract;
  readonly status: ToolStatus;
  isRegistered(): boolean;
  /**
   * Registers the tool, once more if it is registered. Resolves to a function that ends this one registration.
   * Rejects with a {@link RegistrationError} when another tool has the name, with a {@link NotAllowedError} when
   * the page may not register tools, and with a {@link ConfigurationError} for a schema that cannot be enforced. A
   * rejection that nobody looks at is in the console, and no unhandled one.
   */
  register(options?: RegisterOptions): Promise<Release>;
  /** Ends all registrations. Calls that run go on. */
  unregister(): void;
}

/**
 * A function that agents can call, once it is registered. Called by the page it is just `F`: the same arguments,
 * result and exceptions, and no hook runs.
 */
export type WebMCPTool<F extends ToolFunction = ToolFunction> = F & Tool;

/** What makes a function a tool. `Input` is what a Standard Schema makes of an agent's input. */
export interface ToolOptions<F extends ToolFunction = ToolFunction, Input = ToolInput<F>> {
  /** 1 to 128 of `A-Z a-z 0-9 _ . -`. The default is the function's name in snake case. */
  name?: string | undefined;
  /** For people. */
  title?: string | undefined;
  /** Tells agents what the tool does, when to use it and what it returns. */
  description: string;
  /**
   * The schema of the input, an object: a JSON Schema, or a Standard Schema whose value the function can take. Without
   * one, it is read from the members that the function's parameter destructures, and from their defaults.
   */
  schema?: JSONSchema | StandardSchema<any, Input> | undefined;
  /** Schemas of members, put over those of `schema`. Without `schema` they are one. */
  fields?: { [K in keyof ToolInput<F>]?: JSONSchema | StandardSchema<any, ToolInput<F>[K]> } | undefined;
  /** Fail where the parameters of the function cannot be read from it, rather than take anything. */
  strict?: boolean | undefined;
  /** How long the JSON of an input may be, in bytes. The default is 10 MiB. */
  maxInputBytes?: number | undefined;
  /** How long a result may be, in bytes of its text. A longer one fails the call. The default is 10 MiB. */
  maxOutputBytes?: number | undefined;
  /**
   * The schema of the output, as after hooks leave it. An output that breaks it is an error to the agent; one that is an
   * object stands beside its text as `structuredContent`.
   */
  outputSchema?: JSONSchema | StandardSchema<any, unknown> | undefined;
  annotations?: Annotations | undefined;
  /** Hooks around every call of this tool. */
  hooks?: Hooks<F> | undefined;
  /** When a human is asked before the function runs. What scopes and all tools have beside it can only tighten it. */
  approval?: ApprovalOption<F> | readonly ApprovalOption<F>[] | undefined;
  /**
   * How many milliseconds a call may take, from its first hook to its result; then it fails with the code `TIMEOUT`.
   * Of the timeouts of all tools, of scopes and of the tool the shortest holds. Without one there is no limit.
   */
  timeout?: number | undefined;
  /** `false`: registering does nothing. */
  enabled?: boolean | undefined;
  /** `true`: register at once. */
  global?: boolean | undefined;
  /** Origins of other frames that may see the tool. */
  exposedTo?: readonly string[] | undefined;
  /** `true`: an earlier tool of the same name goes, as hot reloading wants it. */
  replace?: boolean | undefined;
}

// ---------------------------------------------------------------------- hooks

/** What every hook of a call gets. */
export interface HookContext<F extends ToolFunction = ToolFunction> extends CallContext {
  /** The tool. Its contract is `tool.tool`. */
  readonly tool: WebMCPTool<F>;
}

/** What a {@link BeforeHook} gets. */
export interface BeforeContext<F extends ToolFunction = ToolFunction> extends HookContext<F> {
  /** The input, as the agent sent it and earlier hooks left it. No schema has checked it yet. */
  readonly input: UncheckedInput<F>;
}

/** What an {@link AfterHook} gets. */
export interface AfterContext<F extends ToolFunction = ToolFunction> extends HookContext<F> {
  /** The input that the function got. */
  readonly input: ToolInput<F>;
  /** What the function returned, as earlier hooks left it. */
  readonly output: ToolOutput<F>;
}

/** What an {@link ErrorHook} gets. */
export interface ErrorContext<F extends ToolFunction = ToolFunction> extends HookContext<F> {
  /** What was thrown, by the function, a hook or a schema. An AbortError when the agent has cancelled. */
  readonly error: unknown;
  /**
   * What the agent is going to read, behind `Error: `, as the error hooks before have left it. A hook that has read it and
   * then fails, or is late, makes it a general sentence.
   */
  readonly message: string;
  /** The newest input; a schema may not have checked it. */
  readonly input: UncheckedInput<F>;
}

/** What a {@link DeniedHook} gets. */
export interface DeniedContext<F extends ToolFunction = ToolFunction> extends HookContext<F> {
  /** The message of the denial. */
  readonly reason: string;
  /** The code of the denial. */
  readonly code: string;
  /** The rule of a policy that has denied the call: its name, its place, or `default`. Undefined where it was a hook or a human. */
  readonly rule: string | undefined;
  /** The newest input; no schema has checked it. */
  readonly input: UncheckedInput<F>;
}

/** A denial: the function does not run, and the agent is told. */
export interface Denial {
  readonly action: 'deny';
  /** Tells the agent why, and what to do instead. */
  readonly message?: string | undefined;
  /** Tells programs why. The default is `DENIED`. */
  readonly code?: string | undefined;
  /** A last change of the input, for denied hooks to see. */
  readonly input?: unknown;
}

/** A new input, for the hooks that follow and the function. */
export interface InputChange {
  readonly input?: unknown;
  readonly action?: undefined;
}

/** A new output, for the hooks that follow and the agent. It may be anything but undefined. */
export interface OutputChange {
  readonly output: {} | null;
}

/** What a hook may return to change nothing. */
export type Nothing = void | undefined | null | true | number;

/** Runs before the function. Return nothing to go on, `{input}` to change the input, or a {@link Denial}. */
export type BeforeHook<F extends ToolFunction = ToolFunction> = (
  context: BeforeContext<F>,
) => Nothing | InputChange | Denial | PromiseLike<Nothing | InputChange | Denial>;

/** Runs after the function. Return nothing to keep the output, or `{output}` to change it. */
export type AfterHook<F extends ToolFunction = ToolFunction> = (
  context: AfterContext<F>,
) => Nothing | OutputChange | PromiseLike<Nothing | OutputChange>;

/**
 * Observes a call that failed. It may return `{message: 'text'}`, or a promise of that: what the agent reads instead.
 * What else it returns, or throws, changes nothing.
 */
export type ErrorHook<F extends ToolFunction = ToolFunction> = (context: ErrorContext<F>) => unknown;

/** Observes a call that a before hook denied. What it returns or throws changes nothing. */
export type DeniedHook<F extends ToolFunction = ToolFunction> = (context: DeniedContext<F>) => unknown;

/** Hooks by phase, each in the order in which they run, and how long a call may take. */
export interface Hooks<F extends ToolFunction = ToolFunction> {
  before?: BeforeHook<F> | readonly BeforeHook<F>[] | undefined;
  after?: AfterHook<F> | readonly AfterHook<F>[] | undefined;
  error?: ErrorHook<F> | readonly ErrorHook<F>[] | undefined;
  denied?: DeniedHook<F> | readonly DeniedHook<F>[] | undefined;
  /** How many milliseconds a call may take, as the option `timeout` beside the hooks says it. Of several the shortest holds. */
  timeout?: number | undefined;
}

/** {@link Hooks} with an array for every phase. */
export interface HookLists<F extends ToolFunction = ToolFunction> {
  before: BeforeHook<F>[];
  after: AfterHook<F>[];
  error: ErrorHook<F>[];
  denied: DeniedHook<F>[];
  /** The shortest time-out, in milliseconds, where there is one. */
  timeout?: number;
}

/** What {@link mergeHooksOrdered} merges. */
export interface OrderedHooks<F extends ToolFunction = ToolFunction> {
  globalHooks?: Hooks | null | undefined;
  /** The hooks of one scope, or of several, outermost first. */
  scopedHooks?: Hooks | null | readonly (Hooks | null | undefined)[] | undefined;
  toolHooks?: Hooks<F> | null | undefined;
}

// ------------------------------------------------------------------ approvals

/** What a policy of the page says of a call: the strictest of all holds, `deny` before `ask` before `allow`. */
export type ApprovalVerdict = 'allow' | 'ask' | 'deny' | { readonly deny: string; readonly code?: string | undefined };

/** What a policy looks at, and what a human is shown: the input as validation left it, frozen. It is what the function gets. */
export interface ApprovalContext<F extends ToolFunction = ToolFunction> {
  readonly tool: WebMCPTool<F>;
  readonly input: ToolInput<F>;
  readonly metadata: Metadata;
  readonly signal: AbortSignal;
}

/**
 * When a human is asked: `true`, always; `'consequential'`, about tools with that hint; `'writes'`, about all tools without
 * `readOnlyHint`; or what a function says. One that throws, takes more than ten seconds or says anything else ends the
 * call with the code `APPROVAL_POLICY_ERROR`.
 */
export type ApprovalWhen<F extends ToolFunction = ToolFunction> =
  | boolean | 'consequential' | 'writes'
  | ((context: ApprovalContext<F>) => ApprovalVerdict | PromiseLike<ApprovalVerdict>);

/** What a decision can be remembered for: these arguments (all, or those that JSON Pointers name), or the tool. */
export type ApprovalMemory = 'call' | 'arguments' | 'tool' | { readonly by: readonly string[] };

/** What {@link ApprovalOptions.ask} gets. */
export interface ApprovalRequest<F extends ToolFunction = ToolFunction> {
  readonly id: string;
  /** The name of the tool. */
  readonly tool: string;
  readonly input: ToolInput<F>;
  /** Aborts when the question is over, however it ended. */
  readonly signal: AbortSignal;
  /** When it times out, in milliseconds as `Date.now()` has them; or Infinity. */
  readonly deadline: number;
  /** Whether the decision may have another input. */
  readonly edit: boolean;
  /** What somebody starts from who changes the input: as the schema takes it; where `edit` is true. */
  readonly draft?: unknown;
}

/** A decision about a question. */
export type ApprovalDecision = 'approve' | 'deny' | {
  readonly decision: 'approve' | 'deny';
  /** Of a denial: the agent reads it. */
  readonly reason?: string | undefined;
  /** What it is remembered for, where the question allows that. The default is nothing but this call. */
  readonly remember?: 'call' | 'arguments' | 'tool' | undefined;
  /**
   * Of an approval: what the human has made of the input, where the question has `edit`. It is validated as that of the
   * agent was, and runs in its place; the agent reads so. The decision is remembered for nothing.
   */
  readonly input?: unknown;
};

/** What {@link ApprovalOptions.verify} gets besides the challenge, which is the SHA-256 of `JSON.stringify([id, tool, digest, nonce])`. */
export interface VerificationRequest<F extends ToolFunction = ToolFunction> {
  /** Aborts when the question is over: end the prompt then. */
  readonly signal: AbortSignal;
  /** Of the question, which is that of the call. */
  readonly id: string;
  /** The name of the tool. */
  readonly tool: string;
  /** What runs if the human approves. */
  readonly input: ToolInput<F>;
  /** SHA-256 of the input as canonical JSON (RFC 8785), in hex. */
  readonly digest: string;
  /** 16 random bytes, in base64url. */
  readonly nonce: string;
}

/** What `verify` has got, for a server that verifies it: `metadata.approval.proof`. */
export interface ApprovalProof {
  /** Of the question: the first member of what the challenge is made of. The others are the name of the tool, the digest of the input and the nonce. */
  readonly id: string;
  readonly nonce: string;
  /** In base64url. */
  readonly challenge: string;
  /** An assertion of the browser as JSON has it; or what else the function has returned. Of several, that of the outermost policy. */
  readonly assertion: unknown;
}

/** A text about a call, or what returns one. */
export type ApprovalText<F extends ToolFunction = ToolFunction> =
  | string
  | ((input: ToolInput<F>, context: Pick<ApprovalContext<F>, 'tool' | 'metadata'>) => string | PromiseLike<string>);

/** Approval with all that can be said of it. */
export interface ApprovalOptions<F extends ToolFunction = ToolFunction> {
  /** The default is `true`. */
  readonly when?: ApprovalWhen<F> | undefined;
  /** The heading of the question. */
  readonly title?: string | undefined;
  /** What the call would do, in a sentence. */
  readonly describe?: ApprovalText<F> | undefined;
  /** What else the human should know. */
  readonly details?: ApprovalText<F> | undefined;
  /** How many milliseconds the question stays open. The default is two minutes; Infinity is possible. */
  readonly timeout?: number | undefined;
  /**
   * How many milliseconds an agent waits for the human before it is told to come back, with the code `APPROVAL_PENDING`.
   * The default is 20 seconds; Infinity keeps it waiting.
   */
  readonly hold?: number | undefined;
  /**
   * `true`: the human may change the input before they approve. The default is `false`, and of several policies that ask
   * all must allow it.
   */
  readonly edit?: boolean | undefined;
  /** What the human may have remembered, until the page is closed. The default is nothing. */
  readonly remember?: ApprovalMemory | readonly ApprovalMemory[] | undefined;
  /** Asks in the page's own way, instead of the built-in dialog. Of several policies that ask, the outermost decides how. */
  readonly ask?: ((request: ApprovalRequest<F>) => ApprovalDecision | PromiseLike<ApprovalDecision>) | undefined;
  /**
   * How the human proves that they are there before an approval counts: `'passkey'`, by that of {@link Approvals.enrol}; or a
   * function that returns an assertion, for a server that verifies it. What it throws, and what is falsy, is no proof: the
   * human may try again. Such an approval is never remembered, and none that is remembered answers for it.
   */
  readonly verify?: 'passkey' | ((challenge: ArrayBuffer, request: VerificationRequest<F>) => unknown) | undefined;
}

/** When and how a human is asked before a call. */
export type ApprovalOption<F extends ToolFunction = ToolFunction> = ApprovalWhen<F> | ApprovalOptions<F>;

/** A question that nobody has decided yet. */
export interface PendingApproval {
  readonly id: string;
  /** The name of the tool. */
  readonly tool: string;
  readonly toolTitle?: string | undefined;
  readonly title?: string | undefined;
  /** What `describe` said. */
  readonly sentence?: string | undefined;
  readonly details?: string | undefined;
  readonly input: unknown;
  /** Whether the human has to prove that they are there, as `verify` of the approval says. */
  readonly verify: boolean;
  /** Whether a decision may have another input. */
  readonly edit: boolean;
  /** What somebody starts from who changes the input: as the schema takes it; where `edit` is true. */
  readonly draft?: unknown;
  /** Since when it waits, in milliseconds as `Date.now()` has them. */
  readonly since: number;
  /** When it times out; or Infinity. */
  readonly deadline: number;
  /** What the decision may be remembered for. */
  readonly remember: readonly ('call' | 'arguments' | 'tool')[];
}

/** A decision that is remembered. */
export interface RememberedApproval {
  /** The name of the tool. */
  readonly tool: string;
  readonly decision: 'approve' | 'deny';
  readonly for: 'tool' | 'arguments';
  /** The arguments: all of them, or, with `by`, those that count, by their JSON Pointers. */
  readonly arguments?: unknown;
  /** The JSON Pointers of the arguments that count, where not all do. */
  readonly by?: readonly string[] | undefined;
}

/** Who approved a call, or denied it: `metadata.approval` of a call about which a human was asked. */
export interface ApprovalRecord {
  readonly decision: 'approve' | 'deny';
  /** Through what: `'dialog'` says that somebody has used the mouse or the keyboard, `'passkey'` that `verify` of the approval has succeeded, `'form'` that somebody has sent the form that the agent has filled in. */
  readonly how: 'dialog' | 'passkey' | 'remembered' | 'script' | 'ask' | 'form';
  /** When, in milliseconds as `Date.now()` has them. */
  readonly at: number;
  /** How many milliseconds that took. */
  readonly waited: number;
  /** Whether the human has changed the input. */
  readonly edited: boolean;
  /**
   * SHA-256, in hex, of the canonical JSON of the input that runs (RFC 8785), so that others can compute it, too; undefined where JSON
   * cannot say the input, or the page has no `crypto.subtle`. Half of a surrogate pair is digested as `JSON.stringify` writes it.
   */
  readonly digest?: string | undefined;
  /** Where `how` is `'passkey'`. */
  readonly proof?: ApprovalProof | undefined;
}

/** {@link WebMCP.approvals}. */
export interface Approvals {
  /** The questions that nobody has decided, the oldest first. */
  pending(): PendingApproval[];
  /** The decisions that are remembered, the oldest first. */
  remembered(): RememberedApproval[];
  /**
   * Decides a question. `false`: it is not open any more, and the decision counts for nothing. An approval that has to be verified
   * is verified here, too, and makes it a promise: `false` is then also that this has failed, or is under way already.
   */
  resolve(id: string, decision: ApprovalDecision & ({ readonly input?: undefined } | string)): boolean | Promise<boolean>;
  /**
   * Approves a question with another input. Resolves to whether that counts; or to what is wrong with the input, while the
   * question stays open. Rejects with a {@link ConfigurationError} where the input may not be changed.
   */
  resolve(id: string, decision: { readonly decision: 'approve'; readonly input: unknown }): Promise<boolean | Issue[]>;
  resolve(id: string, decision: ApprovalDecision): boolean | Promise<boolean | Issue[]>;
  /**
   * Has the human make a passkey, which `verify: 'passkey'` asks for from then on, in this browser. Call it when they press a
   * button. `name` is that of their account. Rejects where they do not, and where passkeys do not work.
   */
  enrol(options?: { readonly name?: string | undefined }): Promise<void>;
  /** Forgets what is remembered for a tool, by its name; without one, all of it. */
  forget(tool?: string): void;
  /** Calls back after questions, or what is remembered, have changed. Returns a function that ends it. */
  onChange(callback: () => void): () => void;
}

/** What {@link Scope.configure} takes. */
export interface ScopeConfiguration {
  /** Hooks to add. */
  hooks?: Hooks | null | undefined;
  /** When a human is asked, besides what there is. */
  approval?: ApprovalOption | readonly ApprovalOption[] | undefined;
  /** How many milliseconds a call may take. Of several the shortest holds. */
  timeout?: number | undefined;
  /** `true`: set the hooks, the approval and the timeout, rather than add them. */
  replace?: boolean | undefined;
}

/** What {@link WebMCP.configure} takes. */
export interface Configuration extends ScopeConfiguration {
  /** How long the JSON of an input may be, in bytes, for tools that do not say it. */
  maxInputBytes?: number | undefined;
  /** How long a result may be, in bytes of its text, for tools that do not say it. */
  maxOutputBytes?: number | undefined;
  /**
   * When the module is loaded. `'auto'`, the default: where there is WebMCP, when a tool has been registered and the page
   * has nothing else to do, and at the latest at the first call of an agent; elsewhere when somebody calls
   * {@link WebMCP.invokeTool} or {@link WebMCP.listTools}. `'eager'`: now. `'manual'`: when {@link WebMCP.load} is called;
   * agents see no tool before that. It says nothing where the page loads the module itself.
   */
  load?: 'auto' | 'eager' | 'manual' | undefined;
  /** Where webmcp.wasm is, if not beside webmcp.js; relative to the page. */
  url?: string | URL | undefined;
  /** The hash that webmcp.wasm must have, as in an `integrity` attribute. */
  integrity?: string | undefined;
  /** How the dialog asks that comes for an approval. `false`: not at all; the page shows {@link Approvals.pending} itself. */
  approvalDialog?: ApprovalDialogOptions | false | undefined;
}

/** How the built-in dialog asks. */
export interface ApprovalDialogOptions {
  /** Texts in place of those in English, each by its name, and `lang` and `dir`. One that is missing, or fails, stays. */
  readonly strings?: Readonly<Partial<ApprovalDialogStrings>> | undefined;
  /** How many milliseconds a question is there before Approve works, 500 unless said otherwise; at most 10000. */
  readonly armDelay?: number | undefined;
}

/** The texts of the built-in dialog. */
export interface ApprovalDialogStrings {
  /** The language of the texts, as in the `lang` attribute. */
  lang: string;
  dir: 'ltr' | 'rtl' | 'auto';
  title: string;
  tool: string;
  input: string;
  noArguments: string;
  untrusted: string;
  remember: string;
  call: string;
  sameArguments: (tool: string, args: string | undefined) => string;
  wholeTool: (tool: string) => string;
  reason: string;
  deny: string;
  approve: string;
  /** Instead of `approve`, where the human has to prove that they are there. */
  verify: string;
  verifying: string;
  unverified: string;
  mark: string;
  notification: (tool: string) => string;
  waiting: (count: number) => string;
  position: (number: number, total: number) => string;
  since: (seconds: number) => string;
  left: (seconds: number) => string;
  same: (count: number) => string;
  together: (count: number) => string;
}

declare const isScope: unique symbol;

/** A place with hooks of its own that tools are registered in. {@link WebMCP.scope} makes one. */
export interface Scope {
  /** A copy of the hooks of this scope, without its parents'. */
  readonly hooks: HookLists;
  readonly parent: Scope | undefined;
  /** Adds hooks, or sets them. Calls that run are not affected. */
  configure(options: ScopeConfiguration): void;
  /** Only webmcp.scope makes one. */
  readonly [isScope]: never;
}

// ---------------------------------------------------------------------- calls

/** What an agent gets of a call. */
export interface ToolResult {
  content: Content[];
  /** True when the call was denied or failed. */
  isError?: boolean;
  /** The code of the denial; `TIMEOUT` of a call that took too long. */
  code?: string;
  /**
   * Of a call that was denied or failed: whether its function was called. `false` means that nothing was done. A result
   * that the function has made itself has it only if the function says so.
   */
  executed?: boolean;
  /** The output as JSON, where the function returned a result that has it. */
  structuredContent?: unknown;
}

/** One piece of a result. */
export type Content = TextContent | OtherContent;

/** A text, which is what a function's output becomes. */
export interface TextContent {
  type: 'text';
  text: string;
}

/** What a function that returns a result itself may put into it. */
export interface OtherContent {
  type: 'image' | 'audio' | 'resource' | 'resource_link';
  [member: string]: unknown;
}

/** A tool in a list. */
export interface ToolEntry {
  name: string;
  /** `''` where there is none. */
  title: string;
  description: string;
  inputSchema: JSONSchema;
  outputSchema?: JSONSchema;
  annotations: Annotations;
  /** True where no schema of the tool could be had: it takes anything. */
  openSchema: boolean;
  status: ToolStatus;
  source: ToolSource;
}

/**
 * Where a tool is: `native` is ours and in the browser, `registry` is ours in a browser without WebMCP, `page` is in
 * the browser and not ours.
 */
export type ToolSource = 'native' | 'registry' | 'page';

/** The tools of this module that are registered, or wait for it. */
export interface Registry {
  /** The tools, by name. */
  list(): ToolEntry[];
  /** Ends all registrations of all tools. */
  clear(): void;
  isRegistered(name: string): boolean;
  /** The status of the tool under a name; `idle` where there is none. */
  getStatus(name: string): ToolStatus;
}

/** What {@link invokeTool} takes. */
export interface InvokeOptions {
  /** Cancels the call when it aborts. */
  signal?: AbortSignal | undefined;
}

// --------------------------------------------------------------------- errors

/** This page or browser cannot do what was asked. */
export class NotSupportedError extends Error {
  constructor(message?: string, options?: { cause?: unknown });
}

/** The page may not register tools: its permissions policy or its frame forbids it. */
export class NotAllowedError extends Error {
  constructor(message?: string, options?: { cause?: unknown });
}

/** A tool could not be registered, or there is none of that name. `cause` is the browser's exception. */
export class RegistrationError extends Error {
  constructor(message?: string, options?: { cause?: unknown });
}

/** An option, a contract or a hook is not what it must be. */
export class ConfigurationError extends Error {
  constructor(message?: string, options?: { cause?: unknown });
}

/** An input or output breaks the schema of its tool. A function may throw its own. */
export class ValidationError extends Error {
  /** The issues are listed behind the message. */
  constructor(message?: string, issues?: readonly Issue[]);
  /** What is wrong, and where; empty where it is not said. */
  readonly issues: readonly Issue[];
}

/** One thing that is wrong with a value. */
export interface Issue {
  /** Such as `items[2].id`; `''` is the value itself. */
  readonly path: string;
  readonly message: string;
}

// ------------------------------------------------------------------- policies

/** A policy as data: what agents may do. docs/policy.md says what its members mean, policy.schema.json has the same form. */
export interface PolicyDocument {
  readonly $schema?: string;
  /** The version of the form of the document. */
  readonly webmcp: 1;
  readonly description?: string;
  /** With `deny`, only tools that a rule without `when` and `unless` names may be called. */
  readonly default?: 'allow' | 'deny';
  /** With `report`, nothing is stopped: what would have been is told by the event `webmcp:policy`. */
  readonly mode?: 'enforce' | 'report';
  /** They all apply at once; their order means nothing. */
  readonly rules: readonly PolicyRule[];
}

/** Which tools a rule is about: a name in which `*` is any text, a hint of the contract, or both. */
export type PolicyTools = PolicySelector | readonly PolicySelector[];
/** A hint of a tool's contract; `writes` is a tool that is not `readOnly`. */
export type PolicyHint = 'consequential' | 'readOnly' | 'writes' | 'untrustedContent' | 'debugging';
/** One of {@link PolicyTools}. */
export type PolicySelector = string | { readonly name?: string; readonly hint?: PolicyHint };

/** A JSON Schema of the validated input, or JSON Schemas of `input`, `context` and `tool`, which must all hold. */
export type PolicyCondition =
  | { readonly input?: object; readonly context?: object; readonly tool?: object }
  | { readonly [keyword: string]: unknown };

/** A time such as `20s`, with ms, s, min or h. */
export type PolicyDuration = `${number}${'ms' | 's' | 'min' | 'h'}`;

/** One rule of a {@link PolicyDocument}. */
export interface PolicyRule {
  /** What the rule is called in reports; its place in the document unless said otherwise. */
  readonly name?: string;
  readonly description?: string;
  readonly tools: PolicyTools;
  readonly except?: PolicyTools;
  readonly when?: PolicyCondition;
  readonly unless?: PolicyCondition;
  readonly mode?: 'enforce' | 'report';
  /** The call does not run; the agent reads this text. */
  readonly deny?: string | true;
  /** Of a denial, for programs. `POLICY_DENIED` unless said otherwise. */
  readonly code?: string;
  readonly approval?: true | PolicyApproval;
  /** How many calls there may be in any second, minute or hour. */
  readonly rate?: `${number}/${'s' | 'min' | 'h'}` | { readonly limit: number; readonly per: 's' | 'min' | 'h'; readonly of?: 'tool' | 'rule' };
  readonly concurrency?: number | { readonly limit: number; readonly of?: 'tool' | 'rule' };
  readonly timeout?: PolicyDuration;
  readonly maxInputBytes?: number;
  readonly maxOutputBytes?: number;
  /** JSON Pointers, in which `*` is every member or item, and what stands there instead. */
  readonly redact?: { readonly [pointer: `/${string}`]: 'remove' | 'full' | 'email' | 'last4' | 'hash' };
  /** Calls are in the audit log. */
  readonly audit?: true;
}

/** How a human is asked. */
export interface PolicyApproval {
  readonly title?: string;
  readonly timeout?: PolicyDuration | 'never';
  readonly hold?: PolicyDuration | 'never';
  readonly remember?: PolicyRemember | readonly PolicyRemember[];
  readonly edit?: boolean;
  readonly verify?: 'passkey';
}

/** What a decision may be remembered for. */
export type PolicyRemember = 'call' | 'arguments' | 'tool' | { readonly by: readonly string[] };

/** What a rule has done to a call, or would have. */
export interface PolicyFinding {
  /** Its name, or its place in its document. */
  readonly rule?: string;
  /** The member of the rule, such as `rate`; `default` where no rule names the tool. */
  readonly effect?: string;
  readonly code?: string;
  readonly message?: string;
  /** In seconds. */
  readonly retryAfter?: number;
}

/** What a policy would do to a call: {@link WebMCP.explain}. */
export interface Explanation {
  readonly tool: string;
  readonly outcome: 'allow' | 'ask' | 'deny';
  /** Why it would be denied. */
  readonly refusal?: PolicyFinding;
  /** All rules that name the tool. */
  readonly rules: readonly ExplainedRule[];
  /** What rules in report mode would have done. */
  readonly reports: readonly PolicyFinding[];
  /** In milliseconds, as far as there is a limit. */
  readonly timeout?: number;
  readonly maxInputBytes?: number;
  readonly maxOutputBytes?: number;
  /** Such as `/email: email`. */
  readonly redact: readonly string[];
  readonly audit: boolean;
}

/** A rule that names the tool, and how it stands. */
export interface ExplainedRule {
  readonly rule: string;
  readonly mode: 'enforce' | 'report';
  readonly applies: boolean;
  /** Whether its condition is met: `met`, `not met`, or `unknown` with what that counts as. */
  readonly when?: string;
  readonly unless?: string;
  /** What it does, in words. */
  readonly effects: readonly string[];
}

// ------------------------------------------------------------------ audit log

/** How a call has ended: `pending` where the page was left before it did. */
export type AuditOutcome = 'ok' | 'denied' | 'error' | 'aborted' | 'pending';

/**
 * What has become of one call. It holds nothing that the agent does not know, and what rules redact is masked in it, in what
 * was sent as in what was answered. It is frozen, and so is all that it has.
 */
export interface AuditEntry {
  /** When the call ended, as ISO 8601. */
  readonly time: string;
  /** The id of the invocation. */
  readonly id: string;
  readonly tool: string;
  readonly outcome: AuditOutcome;
  /** For programs, as the result has it. */
  readonly code?: string;
  /** Whether the function was called: if not, nothing was done. */
  readonly executed: boolean;
  /** The rule that has ended the call: its name, its place, or `default`. */
  readonly rule?: string;
  /** The rules that have applied. */
  readonly rules: readonly string[];
  /** What rules in report mode would have done. */
  readonly reports?: readonly PolicyFinding[];
  /** Who has decided about the call, and how. */
  readonly approval?: AuditApproval;
  /** In milliseconds, with the time that a human took. */
  readonly duration: number;
  /** How many bytes the input had, as JSON, as the agent has sent it. */
  readonly inputBytes?: number;
  /** How many bytes the agent was answered: of a result that is one text those of that, of another one those of its JSON. */
  readonly outputBytes?: number;
  /** What the agent has sent, as JSON, cut where it is long. */
  readonly input?: string;
  /** What a human has made of the input before they approved it, likewise. */
  readonly changed?: string;
  /** What the agent reads, likewise: a text, or the JSON of a result that is more than that. */
  readonly output?: string;
  /** What is left out, because rules name something in it that could not be masked. */
  readonly withheld?: readonly ('input' | 'changed' | 'output' | 'proof')[];
}

/** {@link AuditEntry.approval}: `metadata.approval` of the call, with another form of time. */
export interface AuditApproval extends Omit<ApprovalRecord, 'at'> {
  /** When, as ISO 8601. */
  readonly at: string;
}

/** Which entries: those that have all of these. */
export interface AuditFilter {
  /** The earliest time: a `Date`, its milliseconds, or ISO 8601. */
  readonly since?: Date | number | string | undefined;
  readonly tool?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  readonly code?: string | undefined;
}

/** How entries are written. */
export interface AuditFormat {
  /** `'json'`, the default: each entry as JSON. `'otlp'`: as log records of OpenTelemetry (OTLP/JSON). */
  readonly format?: 'json' | 'otlp' | undefined;
  /** The `service.name` of OpenTelemetry; the page's host if it is left out. */
  readonly service?: string | undefined;
}

/** {@link AuditLog.send}. */
export interface AuditSendOptions extends AuditFormat {
  /** How many milliseconds entries gather before they are sent; 2000. */
  readonly wait?: number | undefined;
  /** How many entries may wait while the browser takes none; 1000. Beyond that the oldest are lost, and the console says so. */
  readonly room?: number | undefined;
}

/** {@link WebMCP.audit}. */
export interface AuditLog {
  /** Sets how many entries are kept (`size`, 1000), and how many characters of each input and output (`text`, 2000; 0: none). */
  configure(options: { readonly size?: number | undefined; readonly text?: number | undefined }): void;
  /** The entries that are kept, the oldest first. */
  entries(filter?: AuditFilter): readonly AuditEntry[];
  /** The same as text, one line for each. */
  lines(options?: AuditFilter & AuditFormat): string;
  /** How many entries are not kept any more. */
  readonly dropped: number;
  /**
   * Calls back with each entry, once the agent has its answer. What it throws, or rejects with, is logged. Returns a function
   * that ends it.
   */
  onEntry(callback: (entry: AuditEntry) => unknown): () => void;
  /**
   * Sends each entry to a server, once, by `navigator.sendBeacon`: several at a time, when the page has nothing else to do, and
   * what is left when the page is hidden or left. What the browser does not take is sent later. It begins with the entries
   * that are kept and that were not sent. Returns a function that ends it, and sends what waits.
   */
  send(url: string | URL, options?: AuditSendOptions): () => void;
}

// ------------------------------------------------------------------------ API

/** A function that can be a tool, as an agent calls it: with one object, and with {@link CallContext}. */
export type AgentFunction<Input = any> = (input: Input, call: CallContext) => unknown;

/**
 * An explanation, in the place of a function that takes no object. With a Standard Schema, `Input`, a function may
 * take whatever that makes of the object.
 */
export type TakesObject<F extends ToolFunction, Input> = 0 extends 1 & Input // Input is any: there is no such schema
  ? ToolInput<F> extends string | number | bigint | boolean | symbol | null | readonly unknown[]
    ? 'agents call a tool with one object: let the function take one, such as ({ id })'
    : unknown
  : unknown;

/** Makes tools: {@link webmcp} and {@link WebMCP.global}. */
export interface ToolMaker {
  /**
   * Makes another tool of a tool's function: its hooks come behind those of the tool, its other options replace
   * those of the tool.
   */
  <F extends ToolFunction>(tool: WebMCPTool<F>, options?: Partial<ToolOptions<F>>): WebMCPTool<F>;
  /**
   * Turns a function into a tool that agents can call once it is registered. An agent's call passes the input, as
   * the schema and before hooks leave it, and a {@link CallContext}; a direct call is just a call of the function.
   *
   * Throws a {@link ConfigurationError} for an option that is unknown or not what it must be.
   */
  <F extends AgentFunction<Input>, Input = any>(
    fn: F & TakesObject<F, Input>,
    options: ToolOptions<F, Input>,
  ): WebMCPTool<F>;
}

/**
 * The function `webmcp`, and all that it carries. It can be used as soon as it is imported: what needs the module is
 * done when that has arrived, in order. On a server and in a worker a tool is just its function, and registering does
 * nothing.
 */
export interface WebMCP extends ToolMaker {
  /** The same as `webmcp(fn, options)`, and registers at once. */
  readonly global: ToolMaker;
  /** Adds hooks and an approval for every tool, or sets them; sets how long an input may be. Calls that run are not affected. */
  configure(options: Configuration): void;
  /** Makes a scope: a place with hooks of its own, within a parent or none, that tools are registered in. */
  scope(options?: Omit<ScopeConfiguration, 'replace'>, parent?: Scope | null): Scope;

  /** Loads the module now, and says where it is. Resolves when it runs. */
  load(options?: Pick<Configuration, 'url' | 'integrity'>): Promise<WebMCP>;

  /**
   * Calls a tool as an agent does, with its hooks, and through the browser where it has WebMCP. Resolves to what the
   * agent gets, also for a denial or a failure. Rejects with an AbortError, whose `cause` is the signal's reason, when
   * the signal aborts, and with a {@link RegistrationError} when there is no such tool.
   */
  invokeTool(name: string, input?: object, options?: InvokeOptions): Promise<ToolResult>;
  /** Resolves to all tools of the page, by name: ours, and those that the browser has from others. */
  listTools(): Promise<ToolEntry[]>;
  /** Resolves to the tool of that name, or to undefined. */
  getTool(name: string): Promise<ToolEntry | undefined>;
  /** Calls back after tools came or went, once for all changes of a task. Returns a function that ends it. */
  onToolsChanged(callback: () => void): () => void;
  /** Whether the browser has WebMCP. */
  isWebMCPSupported(): boolean;
  readonly registry: Registry;
  /** The calls that wait for a human, and the decisions that are remembered. */
  readonly approvals: Approvals;

  /**
   * Puts a policy in force for all tools of the page, besides those that are: it can tighten what they say, never loosen
   * it, and nothing takes it away. Resolves when it is in force, before any call that begins later; where nobody can
   * call, at once. Rejects with a {@link ConfigurationError} that lists what is wrong with the document; then no call of
   * an agent passes any more. See docs/policy.md.
   */
  policy(document: PolicyDocument): Promise<void>;
  /**
   * Sets what the conditions of policies know of the user, as `context`, for calls that begin from now on. Returns a
   * frozen copy. Throws a {@link ConfigurationError} for what is no object, or has no JSON.
   */
  context<T extends object>(values: T): Readonly<T>;
  /**
   * Says what the policy would do to a call of a tool (or of the tool under a name) now. Nothing runs, and no limit
   * counts it. It loads the module. Rejects with a {@link RegistrationError} where there is no such tool, and with a
   * {@link ValidationError} for an input that its schema refuses.
   */
  explain(tool: string | WebMCPTool, input?: object): Promise<Explanation>;
  /** What agents have called, as far as rules with `audit` say so. See docs/policy.md. */
  readonly audit: AuditLog;

  /** A copy of the global hooks. */
  getGlobalHooks(): HookLists;
  /** Removes all global hooks. */
  resetGlobalHooks(): void;
  /** Returns the hooks of `a`, and then those of `b`. */
  mergeHooks<F extends ToolFunction = ToolFunction>(a?: Hooks<F> | null, b?: Hooks<F> | null): HookLists<F>;
  /** Merges hooks in the order in which a call runs them: before hooks inwards, all others outwards. */
  mergeHooksOrdered<F extends ToolFunction = ToolFunction>(hooks?: OrderedHooks<F>): HookLists<F>;

  /**
   * Resolves when the module runs, which it has loaded where there is WebMCP; elsewhere at once, unless the module is on
   * its way. Rejects, with an error that says what to change, when it cannot be loaded; that is no unhandled rejection.
   * On a server and in a worker it resolves and nothing is loaded.
   */
  readonly ready: Promise<WebMCP>;
  /** True: a tool replaces an earlier one of its name, as hot reloading wants it, rather than be refused. */
  replace: boolean;
  /** The version of the module. */
  readonly version: string;

  readonly NotSupportedError: typeof NotSupportedError;
  readonly NotAllowedError: typeof NotAllowedError;
  readonly RegistrationError: typeof RegistrationError;
  readonly ValidationError: typeof ValidationError;
  readonly ConfigurationError: typeof ConfigurationError;
}

/** Turns a function into a tool, and carries the rest of the API. See {@link WebMCP}. */
export declare const webmcp: WebMCP;
export default webmcp;

/** Calls a tool as an agent does. See {@link WebMCP.invokeTool}. */
export declare const invokeTool: WebMCP['invokeTool'];
/** Lists all tools of the page. See {@link WebMCP.listTools}. */
export declare const listTools: WebMCP['listTools'];
/** Finds a tool of the page. See {@link WebMCP.getTool}. */
export declare const getTool: WebMCP['getTool'];
/** Calls back after tools came or went. See {@link WebMCP.onToolsChanged}. */
export declare const onToolsChanged: WebMCP['onToolsChanged'];
/** Whether the browser has WebMCP. See {@link WebMCP.isWebMCPSupported}. */
export declare const isWebMCPSupported: WebMCP['isWebMCPSupported'];
/** The tools of this module. See {@link Registry}. */
export declare const registry: Registry;
/** A copy of the global hooks. See {@link WebMCP.getGlobalHooks}. */
export declare const getGlobalHooks: WebMCP['getGlobalHooks'];
/** Removes all global hooks. See {@link WebMCP.resetGlobalHooks}. */
export declare const resetGlobalHooks: WebMCP['resetGlobalHooks'];
/** Joins hooks. See {@link WebMCP.mergeHooks}. */
export declare const mergeHooks: WebMCP['mergeHooks'];
/** Joins hooks in the order of a call. See {@link WebMCP.mergeHooksOrdered}. */
export declare const mergeHooksOrdered: WebMCP['mergeHooksOrdered'];

declare global {
  /** The API, as soon as the module runs: `webmcp:ready` fires on `document` then. Modules import it instead. */
  var webmcp: WebMCP | undefined;

  interface DocumentEventMap {
    /** The module runs; `detail` is the API. */
    'webmcp:ready': CustomEvent<WebMCP>;
    /** A rule of a policy that only reports would have ended or changed a call. */
    'webmcp:policy': CustomEvent<PolicyFinding & { readonly tool: string; readonly invocationId: string }>;
  }
}
