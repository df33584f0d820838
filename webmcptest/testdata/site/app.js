// A page that talks to Chrome itself, to show that the harness does its part.
const log = document.getElementById('log');
for (const id of ['go', 'yes', 'opener']) {
  document.getElementById(id).addEventListener('click', event => {
    log.textContent += `${id}:${event.isTrusted} `;
  });
}
document.getElementById('opener').addEventListener('click', () => document.getElementById('modal').showModal());
