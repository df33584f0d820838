// The elements are typed where there is no React, Vue or Svelte, too.
import type { WebMCPMarkup } from 'webmcp-wasm/elements';

export const log: WebMCPMarkup['webmcp-hook-log'] = { label: 'What agents do', limit: 50 };
export const element: HTMLElement = document.createElement('webmcp-inspector');
