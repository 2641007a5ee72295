import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Runs a program to its end, and returns its output.
 * @param {string} program
 * @param {string[]} args
 * @param {{cwd: string, env?: Record<string, string>}} options
 * @returns {Promise<string>}
 */
export async function run(program, args, { cwd, env = {} }) {
  try {
    const { stdout } = await execute(program, args, { cwd, env: { ...process.env, ...env } });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = /** @type {{stdout: string, stderr: string}} */ (error);
    throw new Error(`${program} ${args.join(' ')} failed in ${cwd}:\n${stdout}${stderr}`, { cause: error });
  }
}
