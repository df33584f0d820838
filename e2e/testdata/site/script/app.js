// A script that is no module, and asks for the library twice, as two scripts of one page would.
Promise.all([import('./webmcp.js'), import('./webmcp.js')]).then(async ([one, two]) => {
  window.one = one.webmcp;
  window.two = two.webmcp;
  await one.webmcp(function fromOne() { return 'one'; }, { description: 'The first.' }).register();
  await two.webmcp(function fromTwo() { return 'two'; }, { description: 'The second.' }).register();
});
