/** A network that multicast groups of the local bus are given from, as the settings name it. */
import { z } from 'zod'

/** '239.141.0.0/16' becomes '239.141', the first two numbers of every group. */
export const BusNetwork = z
  .string()
  .regex(
    /^239\.(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\.0\.0\/16$/,
    'must be a network of multicast groups from 239.0.0.0/16 to 239.255.0.0/16, such as 239.141.0.0/16.',
  )
  .transform((text) => text.replace('.0.0/16', ''))
