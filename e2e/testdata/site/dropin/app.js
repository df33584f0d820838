// What every Go wasm page has, unchanged.
const go = new Go();
WebAssembly.instantiateStreaming(fetch("webmcp.wasm"), go.importObject).then((result) => {
  go.run(result.instance);
});

function greetPerson({ name }) {
  return `Hello, ${name}!`;
}

document.addEventListener('webmcp:ready', async (event) => {
  const { webmcp } = window;
  window.sameThing = event.detail === webmcp;
  webmcp.configure({ hooks: { after: [({ output }) => ({ output: output + ' (global)' })] } });
  const greet = webmcp(greetPerson, {
    description: 'Greets a person.',
    hooks: { before: [({ input }) => ({ input: { name: input.name.toUpperCase() } })] },
  });
  await greet.register();
});
