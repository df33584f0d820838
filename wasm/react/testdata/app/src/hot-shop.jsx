// The test edits this file while the page is open.
import { useState } from 'react';
import { webmcp } from 'webmcp-wasm';
import { Scope, useWebMCP, WebMCPProvider } from 'webmcp-wasm/react';

const search = webmcp(function searchProducts({ query }) {
  return `found ${query}`;
}, { description: 'Search, first edition' });

export function Shop() {
  const [opened] = useState(() => Math.random());
  useWebMCP(function addToCart({ id }) {
    return `added ${id}, first edition`;
  }, { description: 'Add to the cart' });
  return (
    <WebMCPProvider>
      <Scope tools={[search]}><output data-opened={opened}>first edition</output></Scope>
    </WebMCPProvider>
  );
}
