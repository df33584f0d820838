export default {
  'other-scripts': {
    async check({ agent, direct, later }, { equal }) {
      equal([agent.isError, agent.code, direct, later.isError, later.content[0].text], [true, 'SHUT', 'open', undefined, 'open']);
    },
  },
};
