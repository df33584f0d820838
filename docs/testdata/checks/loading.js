export default {
  manual: {
    async check({ api, tool }, { equal, text }) {
      equal([api === globalThis.webmcp, tool.status], [true, 'registered']);
      equal(await text('ping'), 'pong');
    },
  },
};
