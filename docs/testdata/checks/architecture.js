export default {
  values: {
    check({ same, content }, { equal }) {
      equal(same, true);
      equal(JSON.parse(content[0].text), { when: '1970-01-01T00:00:00.000Z', key: '[Symbol(not JSON)]', again: '[function again]' });
    },
  },
};
