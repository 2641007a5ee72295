// node --import …/plant_named.js --test users.test.js, with a planted fault: that of which the environment variable FAULT has the name.
import { plant } from './planted_faults.js';

plant(process.env.FAULT ?? '');
