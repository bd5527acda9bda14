/** The files of the package that the mock shows: documentation, pictures, schemas, the OpenAPI document. */
export interface Files {
  /** Its bytes, by its path in the package. Rejects where it is not there. */
  read(name: string): Promise<Uint8Array>;
  /** The names in a folder; none where it is not there. */
  list(folder: string): readonly string[];
}

/** For a mock that has no files beside it. */
export const noFiles: Files = {
  read: (name) => Promise.reject(new Error(`${name} is not there`)),
  list: () => [],
};
