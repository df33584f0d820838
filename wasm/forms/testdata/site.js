// The page's own script, which knows nothing of a gate: search answers agents, contact sends by script, checkout is the browser's.
window.handled = [];

const fields = (form) => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]));

document.querySelector('#search').addEventListener('submit', (event) => {
  event.preventDefault();
  handled.push(`search ${event.agentInvoked} ${event.submitter?.textContent} ${JSON.stringify(fields(event.target))}`);
  if (event.agentInvoked) {
    event.respondWith('an earlier answer');
    event.respondWith(Promise.resolve({ found: 3, email: 'ada@example.com' }));
  }
});
document.addEventListener('submit', (event) => {
  if (event.target.id !== 'contact') return;
  event.preventDefault();
  handled.push(`contact ${event.agentInvoked} ${event.submitter?.value} ${JSON.stringify(fields(event.target))}`);
});
