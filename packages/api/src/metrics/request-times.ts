/** How long answers take and how calls end, by route: no path of a client makes a series of its own. */
import {
  counter,
  Histogram,
  type Metric,
  type Sample,
} from '@trunkline/contract/metrics/metric.rules'
import type { FastifyInstance } from 'fastify'

const BOUNDS_S = [0.005, 0.025, 0.1, 0.5, 2.5]
/** Of pages, files, and paths that nobody serves. */
const OTHER = 'other'

interface RouteTimes {
  method: string
  route: string
  seconds: Histogram
  /** By the first digit of the status. */
  answers: number[]
}

export class RequestTimes {
  readonly #byRoute = new Map<string, Map<string, RouteTimes>>()

  note(method: string, route: string, status: number, seconds: number): void {
    const times = this.#timesOf(method, route)
    times.seconds.observe(seconds)
    const digit = Math.floor(status / 100)
    times.answers[digit] = (times.answers[digit] ?? 0) + 1
  }

  metrics(): Metric[] {
    const all = [...this.#byRoute.values()].flatMap((methods) => [...methods.values()])
    const duration: Metric = {
      name: 'trunkline_http_request_duration_seconds',
      help: 'From a request to the end of its answer, by route.',
      type: 'histogram',
      samples: all.flatMap(({ method, route, seconds }) => seconds.samples({ method, route })),
    }
    const answers = all.flatMap(({ method, route, answers: counts }) =>
      counts.flatMap((value, digit): Sample[] =>
        value > 0 ? [{ labels: { method, route, status: `${digit}xx` }, value }] : [],
      ),
    )
    return [duration, counter('trunkline_http_responses_total', 'Answers, by route.', answers)]
  }

  #timesOf(method: string, route: string): RouteTimes {
    const methods = this.#byRoute.get(route) ?? new Map<string, RouteTimes>()
    this.#byRoute.set(route, methods)
    const known = methods.get(method)
    if (known !== undefined) return known
    const times = { method, route, seconds: new Histogram(BOUNDS_S), answers: [] }
    methods.set(method, times)
    return times
  }
}

/** Call before the first route. */
export function measureRequests(app: FastifyInstance): RequestTimes {
  const times = new RequestTimes()
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions
    const isOurs = url?.startsWith('/api/') === true && !request.is404
    const route = isOurs ? url : OTHER
    times.note(isOurs ? request.method : '', route, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  return times
}
