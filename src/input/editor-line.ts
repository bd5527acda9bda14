/** The first line of a YAML file that we write: where an editor finds the schema, from beside `node_modules`. */
export const editorLine = (name: 'target' | 'baseline'): string =>
  `# yaml-language-server: $schema=./node_modules/game-data-contract/dist/schemas/${name}.schema.json`;
