// The page's tools, as any script makes them.
document.addEventListener('webmcp:ready', ({ detail: webmcp }) => {
  const make = (name, fn) => webmcp.global(fn, { name, description: `Does ${name} for the page.`, schema: { type: 'object' } });
  make('send_message', ({ text }) => `sent: ${text}`);
  make('get_user', () => ({ name: 'Ada', email: 'ada@example.com' }));
  make('export_users', () => 'ada@example.com');
});
