// Two frames from another site: one may register tools, one may not. Each tells how it went.
const reports = {};
addEventListener('message', ({ data }) => { reports[data.name] = data });
for (const [name, allow] of [['may', 'tools'], ['may_not', '']]) {
  const frame = document.createElement('iframe');
  frame.allow = allow;
  frame.src = `http://localhost:${location.port}/framed/#${name}`;
  document.body.append(frame);
}
