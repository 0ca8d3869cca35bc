/** Name of the list in a folder of bundled modules: by the address of each, the name of the file that stands for it. */
export const MODULE_LIST = "modules.json";
