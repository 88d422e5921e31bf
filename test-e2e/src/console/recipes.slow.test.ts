// The recipes by which a receiver verifies signatures, as the console shows them: each runs in its own language.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { ROOT } from '../harness/documented-commands';

const RECIPES = join(ROOT, 'apps/console/src/screens/webhooks/recipes');
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BODY = '{"tag":"Zoë"}';
const ID = 'evt_1';
const AT = 1_800_000_000;
const SIGNATURE = new Webhook(SECRET).sign(ID, new Date(AT * 1_000), BODY);
const WITHIN_MS = 120_000;

/** What a request has: its time and signatures, its body, and when it arrives. */
const CASES: readonly (readonly [
  title: string,
  isAuthentic: boolean,
  time: string,
  signatures: string,
  body: string,
  now: number,
])[] = [
  ['as it was sent', true, String(AT), SIGNATURE, BODY, AT + 299],
  ['with a second signature', true, String(AT), `v1,AAAA v2,x ${SIGNATURE}`, BODY, AT],
  ['with another body', false, String(AT), SIGNATURE, BODY.replace('Z', 'z'), AT],
  ['at another time', false, String(AT + 1), SIGNATURE, BODY, AT],
  ['too old', false, String(AT), SIGNATURE, BODY, AT + 301],
  ['of the future', false, String(AT), SIGNATURE, BODY, AT - 301],
  ['without a time', false, '', SIGNATURE, BODY, AT],
  ['without a signature', false, String(AT), '', BODY, AT],
  ['with a signature of another version', false, String(AT), SIGNATURE.replace('v1', 'v1a'), BODY, AT],
];

const INPUT = CASES.map(([, , time, signatures, body, now]) =>
  [time, signatures, Buffer.from(body).toString('base64'), now].join('\t'),
).join('\n');

type Runner = (folder: string, run: (command: string, ...args: string[]) => string) => string;

const RUNNERS: readonly (readonly [language: string, file: string, runner: Runner])[] = [
  [
    'JavaScript',
    'verify.mjs',
    (folder, run) => {
      const recipe = JSON.stringify(pathToFileURL(join(folder, 'verify.mjs')).href);
      const program = `
        import { readFileSync } from 'node:fs';
        import { isAuthentic } from ${recipe};
        for (const line of readFileSync(0, 'utf8').split('\\n')) {
          const [time, signatures, body, now] = line.split('\\t');
          const headers = { 'webhook-id': '${ID}', 'webhook-timestamp': time, 'webhook-signature': signatures };
          console.log(isAuthentic('${SECRET}', headers, Buffer.from(body, 'base64'), Number(now)));
        }`;
      return run(process.execPath, '--input-type=module', '--eval', program);
    },
  ],
  [
    'Python',
    'verify.py',
    (_folder, run) => {
      const program = `
import base64, sys
from verify import is_authentic
for line in sys.stdin.read().split("\\n"):
    time, signatures, body, now = line.split("\\t")
    headers = {"webhook-id": "${ID}", "webhook-timestamp": time, "webhook-signature": signatures}
    print(is_authentic("${SECRET}", headers, base64.b64decode(body), int(now)))`;
      return run('python3', '-c', program).toLowerCase();
    },
  ],
  [
    'Go',
    'verify.go',
    (folder, run) => {
      writeFileSync(
        join(folder, 'main.go'),
        `package main
import ("bufio"; "encoding/base64"; "fmt"; "net/http"; "os"; "strconv"; "strings"; "time")
func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "\\t")
		headers := http.Header{}
		headers.Set("webhook-id", "${ID}"); headers.Set("webhook-timestamp", parts[0]); headers.Set("webhook-signature", parts[1])
		body, _ := base64.StdEncoding.DecodeString(parts[2])
		now, _ := strconv.ParseInt(parts[3], 10, 64)
		fmt.Println(IsAuthentic("${SECRET}", headers, body, time.Unix(now, 0)))
	}
}`,
      );
      return run(goProgram(), 'run', 'main.go', 'verify.go');
    },
  ],
  [
    'Java',
    'Verify.java',
    (folder, run) => {
      writeFileSync(
        join(folder, 'Main.java'),
        `import java.util.*;
class Main {
  public static void main(String[] none) throws Exception {
    for (Scanner lines = new Scanner(System.in); lines.hasNextLine();) {
      String[] parts = lines.nextLine().split("\\t", -1);
      var headers = Map.of("webhook-id", "${ID}", "webhook-timestamp", parts[0], "webhook-signature", parts[1]);
      var body = Base64.getDecoder().decode(parts[2]);
      System.out.println(Verify.isAuthentic("${SECRET}", headers, body, Long.parseLong(parts[3])));
    }
  }
}`,
      );
      run('javac', 'Main.java', 'Verify.java');
      return run('java', 'Main');
    },
  ],
];

/** The machine's own, or one that the tests of the chart install. */
function goProgram(): string {
  const finder = JSON.stringify(pathToFileURL(join(ROOT, 'tools/kubernetes/go.mjs')).href);
  const script = `import(${finder}).then(({ findGo }) => findGo()).then((found) => console.log(JSON.stringify(found)))`;
  const printed = execFileSync(process.execPath, ['--eval', script], { encoding: 'utf8' });
  const found = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as {
    program?: string;
    skipped?: string;
    failed?: string;
  };
  if (found.program === undefined) throw new Error(found.failed ?? found.skipped);
  return found.program;
}

it.each(RUNNERS)(
  'the recipe in %s takes what is authentic and nothing else',
  (_language, file, runner) => {
    const folder = mkdtempSync(join(tmpdir(), 'busbar-recipe-'));
    try {
      copyFileSync(join(RECIPES, file), join(folder, file));
      const printed = runner(folder, (command, ...args) =>
        execFileSync(command, args, { cwd: folder, input: INPUT, encoding: 'utf8' }),
      );
      const judged = printed.trim().split(/\r?\n/);
      expect(judged.map((verdict, index) => [CASES[index]?.[0], verdict])).toEqual(
        CASES.map(([title, isAuthentic]) => [title, String(isAuthentic)]),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  WITHIN_MS,
);
