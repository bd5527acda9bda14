// CommonJS: orval 7 does not read the default export of a module here.
module.exports = {
  game: {
    input: 'openapi.3.0.json',
    output: {
      target: 'generated/game.ts',
      client: 'fetch',
      override: { mutator: { path: './request.ts', name: 'request', extension: '.js' } },
    },
  },
};
