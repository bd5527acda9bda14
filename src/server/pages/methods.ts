/** The colour of a method wherever one is shown: /try, the reference, the picture of the operations. On light and on dark ground. */
export const methodColours = {
  get: { light: '#1d4f9c', dark: '#8fb2ff' },
  post: { light: '#1b6b45', dark: '#7fe0ad' },
} as const;
