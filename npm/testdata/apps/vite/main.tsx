// React, TypeScript and zod, built and served by Vite.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { webmcp } from 'webmcp-wasm';
import 'webmcp-wasm/elements';
import { Scope, useWebMCP, WebMCPProvider } from 'webmcp-wasm/react';

webmcp.configure({ hooks: { before: [({ input }) => ({ input: { ...input, name: `${input.name} Lovelace` } })] } });

const greet = webmcp(({ name }) => `Hello, ${name}!`, {
  name: 'greet',
  description: 'Greets somebody',
  schema: z.object({ name: z.string() }),
});

function Farewell() {
  const { status, error } = useWebMCP(({ name }: { name: string }) => `Goodbye, ${name}.`, { name: 'part', description: 'Parts from somebody' });
  return <output data-tool="part">{status} {String(error ?? '')}</output>;
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <WebMCPProvider hooks={{ after: [({ output }) => ({ output: `${output} Ask away.` })] }}>
      <Scope tools={[greet]}>
        <Farewell />
      </Scope>
    </WebMCPProvider>
  </StrictMode>,
);
document.body.append(document.createElement('webmcp-inspector'));
