// The elements in markup that is typed: React, Vue and Svelte.

import 'webmcp-wasm/elements';
import type { SvelteHTMLElements } from 'svelte/elements';
import type { GlobalComponents } from 'vue';

export const page = (
  <main>
    <webmcp-hook-log label="What agents do" limit={50} light className="log" data-id="7" aria-busy="false" />
    <webmcp-inspector key="inspector" hidden />
    <webmcp-approvals ref={(element: HTMLElement | null) => element?.focus()} />
    {/* @ts-expect-error there is no such attribute */}
    <webmcp-inspector limit={3} />
    {/* @ts-expect-error a number or a text */}
    <webmcp-hook-log limit={true} />
    {/* @ts-expect-error there is no such element */}
    <webmcp-inspectors />
  </main>
);

declare const vue: InstanceType<GlobalComponents['webmcp-hook-log']>;
export const label: string | undefined = vue.$props.label;
// @ts-expect-error there is no such element
export type NoVue = GlobalComponents['webmcp-inspectors'];

export const svelte: SvelteHTMLElements['webmcp-hook-log'] = { limit: '50', light: true };
// @ts-expect-error there is no such attribute
export const wrong: SvelteHTMLElements['webmcp-approvals'] = { limit: 50 };
