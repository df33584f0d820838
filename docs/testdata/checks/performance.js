export default {
  'slow-calls': {
    check({ slow }, { equal }) {
      equal(slow.length, 1);
      equal(/^count_shelf took \d{2,4} ms$/.test(slow[0]), true);
    },
  },
};
