/** Does nothing, and says for how long it could not: what the machine adds to what a bench measures of the API. */
import { answerGaugeQuestions } from '@trunkline/api/event-loop'

answerGaugeQuestions()
