/** A mistake of the person at the terminal, said in a sentence and without a stack. */
export class UserError extends Error {}

/** Runs a command; its mistakes are printed and make it exit with 1. */
export async function run(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exitCode = 1;
  }
}
